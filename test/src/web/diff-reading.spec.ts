import type { Client } from '@countersign/contract';
import { approvalModel, createTestHost, waitForApproval, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import {
  changeColorScheme,
  expectAccessible,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const LONG_FILE = Array.from({ length: 150 }, (_, index) => `+const line${index + 1} = ${index + 1};`).join('\n');
const PATCH = `diff --git a/src/total.ts b/src/total.ts
--- a/src/total.ts
+++ b/src/total.ts
@@ -8,5 +8,5 @@
 /* one
    return two; */
-const sum = round(one, 'a\u202e');
+const sum = exact(one, 'a\u202e');
 return \`x
 const\`;
@@ -20 +20 @@
-return 1;
+return 2;
diff --git a/src/long.ts b/src/long.ts
new file mode 100644
--- /dev/null
+++ b/src/long.ts
@@ -0,0 +1,150 @@
${LONG_FILE}
`;
const SOURCE = 'const one = "two"; // \u202enote\r\n/* three\nreturn four; */\nreturn 5;\n';
const EVIDENCE: Readonly<Record<string, string>> = { 'total.ts': SOURCE, 'change.txt': PATCH, 'notes.txt': SOURCE };

const BEFORE = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
const AFTER = BEFORE.map((line, index) => (index === 99 ? 'changed' : line));

(hasBrowser() ? describe : describe.skip)('web: reading differences', () => {
  let countersign: TestHost;
  let browser: Browser;
  let clara: Client;
  let window: Window;
  let page: Page;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: ['work'] }), launchBrowser()]);
    const names = Object.keys(EVIDENCE).join(', ');
    await countersign.deploy(
      approvalModel(
        'differences',
        '',
        `<bpmn:extensionElements><zeebe:properties><zeebe:property name="approval.evidence" value="${names}" /></zeebe:properties></bpmn:extensionElements>`,
      ),
    );
    clara = await countersign.client('operator', 'clara');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  beforeEach(async () => {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'bob' }),
    });
    page = window.page;
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  afterEach(() => window.close());

  async function openApproval(inputs: Readonly<Record<string, string>>, evidenceNames: readonly string[] = []) {
    const { runId } = await clara.startRun({ body: { workflowId: 'differences', inputs } });
    for (const name of evidenceNames)
      await clara.uploadArtifact({
        runId,
        artifactName: name,
        body: new TextEncoder().encode(EVIDENCE[name]),
        contentType: 'text/plain',
      });
    await countersign.jobs.complete('work', {});
    const approval = await waitForApproval(clara, runId);
    await page.goto(`${countersign.url}/approvals/${approval.approvalId}`);
    await page.getByRole('heading', { name: 'Task inputs' }).waitFor();
  }

  const getFile = (name: string): Locator => page.locator('.cs-patch-file').and(page.getByLabel(name, { exact: true }));
  const colored = (within: Locator, kind: string, text: string): Locator =>
    within.locator(`.cs-code-${kind}`).and(page.getByText(text, { exact: true }));

  async function expectAccessibleInBothThemes(): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await changeColorScheme(page, theme);
      await expectAccessible(page);
    }
  }

  /** Scrolls in steps, as a person reads. */
  const scrollToEnd = (element: Locator): Promise<void> =>
    element.evaluate(async (body) => {
      body.scrollTo(0, 0);
      const nextFrame = () => new Promise(requestAnimationFrame);
      await nextFrame();
      while (body.scrollTop + body.clientHeight < body.scrollHeight - 1) {
        body.scrollBy({ top: body.clientHeight / 2, behavior: 'instant' });
        await nextFrame();
      }
      await nextFrame();
    });
  const decisionBody = (): Locator => page.locator('.cs-decision-body');
  const unseenNote = (): Locator => page.getByText('Not all details of this request have been in view yet.');
  async function openVote(): Promise<void> {
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
  }

  describe('colours', () => {
    it('should have colours that can be read on each background of a difference', async () => {
      await openApproval({ patch: PATCH });
      for (const theme of ['light', 'dark'] as const) {
        await changeColorScheme(page, theme);
        const styles = await readDiffColors(page);
        expect(styles.colors).to.have.length(6);
        for (const color of styles.colors)
          for (const back of styles.backs)
            expect(getContrast(color, back), `${theme}: ${color} on ${back}`).to.be.at.least(4.5);
      }
    });

    it('should colour a patch in both views, without a change of its text', async () => {
      // when
      await openApproval({ patch: PATCH });
      const file = getFile('src/total.ts');
      await colored(file, 'keyword', 'const').first().waitFor();

      // then
      for (const view of ['Side by side', 'Unified']) {
        await page.getByText(view, { exact: true }).click();
        const removed = file.locator('.cs-diff-removed .cs-diff-text').first();
        expect(await removed.textContent()).to.equal("Line 10 removed: const sum = round(one, 'a⟦U+202E⟧');");
        expect(await removed.locator('del').allTextContents()).to.deep.equal(['round']);
        expect(await colored(removed, 'string', "'a⟦U+202E⟧'").count()).to.equal(1);
        // A comment and a string that continue on the next line.
        expect(await colored(file, 'comment', 'return two; */').count()).to.equal(view === 'Unified' ? 1 : 2);
        expect(await colored(file, 'string', 'const`').count()).to.equal(view === 'Unified' ? 1 : 2);
        await expectAccessibleInBothThemes();
      }
    });

    it('should colour evidence by its name, and keep its text and its state', async () => {
      // when
      await openApproval({}, ['total.ts', 'notes.txt']);
      await page.getByRole('button', { name: 'Open total.ts' }).click();
      const evidence = page.getByRole('region', { name: 'total.ts, version 1' });
      await colored(evidence, 'keyword', 'const').waitFor();

      // then
      expect(await evidence.locator('pre').textContent()).to.equal(SOURCE.replace('\u202e', '⟦U+202E⟧'));
      expect(await colored(evidence, 'comment', 'return four; */').count()).to.equal(1);
      expect(await colored(evidence, 'string', '"two"').count()).to.equal(1);
      await page.getByText('Opened', { exact: true }).waitFor();
      await expectAccessibleInBothThemes();

      // when
      await page.getByRole('button', { name: 'Open notes.txt' }).click();
      const notes = page.getByRole('region', { name: 'notes.txt, version 1' });
      await notes.getByText('return four; */').waitFor();

      // then
      expect(await notes.locator('pre span').count()).to.equal(0);
    });

    it('should bound the coloured words of all files of a patch together', async () => {
      // given: 12,000 numbers in each of three files
      const line = `+${Array.from({ length: 199 }, () => '1').join(',')},`;
      const lines = Array.from({ length: 60 }, () => line).join('\n');
      const files = ['one', 'two', 'three'].map(
        (name) =>
          `diff --git a/${name}.json b/${name}.json\nnew file mode 100644\n--- /dev/null\n+++ b/${name}.json\n@@ -0,0 +1,60 @@\n${lines}\n`,
      );
      // when
      await openApproval({ patch: files.join('') });
      await getFile('two.json').locator('.cs-code-number').first().waitFor();
      // then
      const counts = await Promise.all(
        ['one', 'two', 'three'].map((name) => getFile(`${name}.json`).locator('.cs-code-number').count()),
      );
      expect(counts).to.deep.equal([60 * 199, 40 * 199, 0]);
      const plainLines = getFile('three.json')
        .locator('.cs-diff-text')
        .filter({ hasText: line.slice(1) });
      expect(await plainLines.count()).to.equal(60);
    });

    it('should show a difference without colours if they cannot be loaded', async () => {
      // given
      await page.route(/\/assets\/(load-parser|javascript)-.*\.js$/, (route) => route.abort());
      const failed = page.waitForEvent('requestfailed', { predicate: (request) => /load-parser/.test(request.url()) });

      // when
      await openApproval({ patch: PATCH });
      await failed;

      // then
      await getFile('src/total.ts').getByText("const sum = exact(one, 'a⟦U+202E⟧');").waitFor();
      expect(await page.locator('[class^=cs-code-]').count()).to.equal(0);
    });
  });

  describe('folds', () => {
    it('should say how many lines a patch leaves out', async () => {
      await openApproval({ patch: PATCH });
      expect(await getFile('src/total.ts').locator('.cs-diff-omitted').allTextContents()).to.deep.equal([
        'The first 7 lines are not part of this patch',
        '7 lines in between are not part of this patch',
      ]);
      expect(await getFile('src/long.ts').locator('.cs-diff-omitted').count()).to.equal(0);
    });

    it('should not count a folded file as seen, until it is unfolded and in view', async () => {
      // given
      await openApproval({ patch: PATCH });
      const file = getFile('src/long.ts');
      await page.getByRole('button', { name: 'Fold src/long.ts' }).focus();
      await page.keyboard.press('Enter');
      await file.getByText('lines folded').waitFor();
      await expectAccessibleInBothThemes();

      // when
      await openVote();
      await scrollToEnd(decisionBody());

      // then
      expect(await unseenNote().isVisible()).to.equal(true);

      // when
      await page.getByRole('button', { name: 'Unfold src/long.ts' }).and(page.locator('[aria-expanded=false]')).click();
      await file.getByText('const line150 = 150;').waitFor({ state: 'attached' });

      // then
      expect(await unseenNote().isVisible(), 'the unfolded lines').to.equal(true);

      // when
      await scrollToEnd(decisionBody());

      // then
      await unseenNote().waitFor({ state: 'detached' });
    });

    it('should not count a folded file of evidence as seen', async () => {
      // given
      await openApproval({}, ['change.txt']);
      await page.getByRole('button', { name: 'Open change.txt' }).click();
      const evidence = page.getByRole('region', { name: 'change.txt, version 1' });
      await page.getByRole('button', { name: 'Fold src/long.ts' }).click();
      await page.getByRole('button', { name: 'Fold src/total.ts' }).click();

      // when
      await scrollToEnd(evidence);

      // then
      expect(await page.getByText('Opened', { exact: true }).count()).to.equal(0);

      // when
      await page.getByRole('button', { name: 'Unfold src/total.ts' }).click();
      await page.getByRole('button', { name: 'Unfold src/long.ts' }).click();
      await scrollToEnd(evidence);

      // then
      await page.getByText('Opened', { exact: true }).waitFor();
    });

    it('should unfold unchanged lines in steps or at once, and count them as seen once they are in view', async () => {
      // given
      await openApproval({ before: BEFORE.join('\n'), after: AFTER.join('\n') });
      await page.getByText('Unified', { exact: true }).click();
      const lines = page.locator('.cs-diff-side');
      expect(await lines.count()).to.equal(3 + 2 + 3);
      const below = page.getByRole('button', { name: 'Show 20 more lines below the previous change' });
      await expectAccessibleInBothThemes();
      await openVote();

      // when
      await below.focus();
      await page.keyboard.press('Enter');

      // then
      await page.locator('.cs-diff-text', { hasText: /^line 123$/ }).waitFor();
      expect(await lines.count()).to.equal(8 + 20);
      expect(await below.evaluate((element) => element === document.activeElement)).to.equal(true);

      // when
      await page.getByRole('button', { name: 'Show 20 more lines above the next change' }).click();

      // then
      await page.locator('.cs-diff-text', { hasText: /^line 77$/ }).waitFor();
      expect(await lines.count()).to.equal(8 + 40);

      // when
      await page.getByRole('button', { name: 'Show 76 unchanged lines' }).click();
      await page.locator('[data-row="0"]').and(page.locator(':focus')).waitFor();
      await scrollToEnd(decisionBody());

      // then
      expect(await unseenNote().isVisible(), 'a fold is left').to.equal(true);

      // when
      await page.getByRole('button', { name: 'Show 77 unchanged lines' }).click();
      await page.locator('.cs-diff-text', { hasText: /^line 200$/ }).waitFor({ state: 'attached' });
      expect(await lines.count()).to.equal(201);
      await scrollToEnd(decisionBody());

      // then
      await unseenNote().waitFor({ state: 'detached' });
    });

    it('should not count folded lines of a long difference as seen, although they are not rendered', async () => {
      // given
      // More lines than are rendered at once, but few changes, so that the comparison takes little time.
      const before = Array.from({ length: 1_397 }, (_, index) => `line ${index + 1}`);
      const after = before.map((line, index) => (index > 100 && index % 7 === 0 ? `${line} changed` : line));
      await openApproval({ before: before.join('\n'), after: after.join('\n') });
      const scroller = page.locator('.cs-diff-scroll');
      await openVote();

      // when
      await scrollToEnd(decisionBody());
      await scroller.evaluate(async (element) => {
        const nextFrame = () => new Promise(requestAnimationFrame);
        do {
          element.scrollTo({ top: element.scrollHeight, behavior: 'instant' });
          await nextFrame();
        } while (element.scrollTop + element.clientHeight < element.scrollHeight - 1);
        await nextFrame();
      });

      // then
      await page.locator('.cs-diff-text', { hasText: 'line 1394 changed' }).waitFor();
      expect(await page.locator('.cs-diff-fold').count()).to.equal(0);
      expect(await scroller.getAttribute('data-partly-hidden')).to.equal('');
      expect(await unseenNote().isVisible()).to.equal(true);
    });
  });
});

/** Reads the colours of code, and the backgrounds on which differences display it, as `#rrggbb`. */
function readDiffColors(page: Page): Promise<{ readonly colors: string[]; readonly backs: string[] }> {
  return page.evaluate(() => {
    const styles = getComputedStyle(document.documentElement);
    const read = (names: readonly string[]) => names.map((name) => styles.getPropertyValue(name).trim());
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText));
    const names = rules.flatMap((rule) => /^\.cs-code-[^{]*\{ color: var\((--[\w-]+)\)/.exec(rule)?.[1] ?? []);
    const backs = ['removed-back', 'removed-word', 'added-back', 'added-word'].map((name) => `--cs-${name}`);
    return { colors: read([...new Set(names)]), backs: read(backs) };
  });
}

/** Returns the contrast of two colours (WCAG 2.2, contrast ratio). */
function getContrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(getLuminance).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
function getLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
