import type { Approval, Client } from '@countersign/contract';
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

const ESC = '\u001b';
const LOG = [
  `${ESC}[1;32m✔${ESC}[0m 12 passed`,
  `${ESC}[31mfailed${ESC}[39m ${ESC}[2m(3 ms)${ESC}[22m ${ESC}[7minverse${ESC}[0m ${ESC}[38;5;226myellow${ESC}[0m`,
  `${ESC}[8mdelete everything${ESC}[0m${ESC}[2K ${ESC}[37;47mwhite on white${ESC}[0m`,
  '',
].join('\n');
const SHOWN_LOG = '✔ 12 passed\nfailed (3 ms) inverse yellow\n⟦U+001B⟧[8mdelete everything⟦U+001B⟧[2K white on white\n';

/** One pixel. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SVG = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
/** The signature of a PNG file, and nothing else of it. */
const BROKEN_PNG = `data:image/png;base64,${btoa('\u0089PNG\r\n\u001a\n no image')}`;

const MERGE = `diff --cc merged.txt
index 7c05a3b,d047b14..3f85703
--- a/merged.txt
+++ b/merged.txt
@@@ -1,2 -1,2 +1,2 @@@
  one
- mine
 -theirs
++both
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/changed.txt b/changed.txt
--- a/changed.txt
+++ b/changed.txt
@@ -1 +1 @@
-before
+after
`;

const EVIDENCE: Readonly<Record<string, readonly [contentType: string, content: string]>> = {
  'build.log': ['text/plain', LOG],
  'payments.csv': ['text/csv', 'Payee;Amount;\r\n"Contoso; Paper";76,10;x\r\nشركة النور;1203,00;\u202ey\r\n'],
  'wide.tsv': ['text/plain', Array.from({ length: 40 }, (_, index) => `"Heading ${index + 1}"`).join('\t')],
  'long.csv': ['text/csv', `Number,Name\n${'1,x\n'.repeat(1_001)}`],
};

(hasBrowser() ? describe : describe.skip)('web: views of evidence and subjects', () => {
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
        'views',
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
    const { runId } = await clara.startRun({ body: { workflowId: 'views', inputs } });
    for (const name of evidenceNames) {
      const [contentType = '', content = ''] = EVIDENCE[name] ?? [];
      await clara.uploadArtifact({ runId, artifactName: name, body: new TextEncoder().encode(content), contentType });
    }
    await countersign.jobs.complete('work', {});
    const approval: Approval = await waitForApproval(clara, runId);
    await page.goto(`${countersign.url}/approvals/${approval.approvalId}`);
    await page.getByRole('heading', { name: 'Task inputs' }).waitFor();
  }

  async function openEvidence(name: string): Promise<Locator> {
    await page.getByRole('button', { name: `Open ${name}` }).click();
    return page.getByRole('region', { name: `${name}, version 1` });
  }

  const expectStatus = (name: string, status: RegExp | string): Promise<void> =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByText(`${name}, version 1`) })
      .getByText(status, { exact: true })
      .waitFor();

  const findInput = (name: string): Locator =>
    page.locator('dl[aria-label="Task inputs"] dt', { hasText: name }).locator('+ dd');

  async function expectAccessibleInBothThemes(): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await changeColorScheme(page, theme);
      await expectAccessible(page);
    }
  }

  describe('output of programs with colours', () => {
    it('should show evidence in its colours, and count it as seen', async () => {
      // when
      await openApproval({}, ['build.log']);
      const evidence = await openEvidence('build.log');

      // then
      await expectStatus('build.log', 'Opened');
      expect(await evidence.locator('pre').textContent()).to.equal(SHOWN_LOG);
      const failed = evidence.getByText('failed', { exact: true });
      expect(await failed.evaluate((element) => getComputedStyle(element).color)).to.equal('rgb(205, 49, 49)');
      expect(await evidence.getByText('✔').evaluate((element) => getComputedStyle(element).fontWeight)).to.equal('700');
      await expectAccessibleInBothThemes();

      // when
      await page.getByText('Plain', { exact: true }).click();

      // then
      expect(await evidence.locator('pre').textContent()).to.equal(LOG.replaceAll(ESC, '⟦U+001B⟧'));
    });

    it('should show a text of a subject in its colours', async () => {
      // when
      await openApproval({ output: LOG });

      // then
      expect(await findInput('output').locator('pre').textContent()).to.equal(SHOWN_LOG);
      await findInput('output').getByText('Plain', { exact: true }).click();
      expect(await findInput('output').locator('pre').textContent()).to.equal(LOG.replaceAll(ESC, '⟦U+001B⟧'));
    });
  });

  describe('tables', () => {
    it('should show comma-separated values as a table, and count it as seen', async () => {
      // when
      await openApproval({}, ['payments.csv']);
      const evidence = await openEvidence('payments.csv');

      // then
      await expectStatus('payments.csv', 'Opened');
      expect(await evidence.getByRole('columnheader').allTextContents()).to.deep.equal(['Payee', 'Amount', 'Column 3']);
      expect(await evidence.getByRole('cell').allTextContents()).to.deep.equal([
        'Contoso; Paper',
        '76,10',
        'x',
        'شركة النور',
        '1203,00',
        '⟦U+202E⟧y',
      ]);
      const amount = evidence.getByRole('cell', { name: '76,10' });
      expect(await amount.evaluate((element) => getComputedStyle(element).textAlign)).to.equal('end');
      await expectAccessibleInBothThemes();

      // when
      await page.getByText('Plain', { exact: true }).click();

      // then
      await evidence.getByText('"Contoso; Paper";76,10;x').waitFor();
    });

    it('should count a wide table as seen only after its last column was in view', async () => {
      // when
      await openApproval({}, ['wide.tsv']);
      await page.keyboard.press('e');

      // then
      await expectStatus('wide.tsv', '99 % shown: keep reading');

      // when
      const evidence = page.getByRole('region', { name: 'wide.tsv, version 1' });
      await evidence.evaluate((region) => region.scrollTo({ left: region.scrollWidth / 2, behavior: 'instant' }));
      await expectStatus('wide.tsv', '99 % shown: keep reading');
      const { left, max } = await evidence.evaluate((region) => ({
        left: region.scrollLeft,
        max: region.scrollWidth - region.clientWidth,
      }));
      expect(left).to.be.within(1, max - 1);
      while (await page.getByText('99 % shown: keep reading').isVisible()) await page.keyboard.press('e');

      // then
      await expectStatus('wide.tsv', 'Opened');
      expect(await evidence.getByRole('columnheader', { name: 'Heading 40' }).isVisible()).to.equal(true);
    });

    it('should show the text of a long table first, and not count the table as seen', async () => {
      // given
      await openApproval({}, ['long.csv']);
      const evidence = await openEvidence('long.csv');
      await expectStatus('long.csv', /% shown/);
      expect(await evidence.locator('pre').count()).to.equal(1);
      const status = page
        .getByRole('listitem')
        .filter({ has: evidence })
        .getByText(/% shown/);
      const before = await status.textContent();

      // when
      await page.getByText('Formatted', { exact: true }).click();

      // then
      await evidence
        .getByText('Only the first 1,000 rows are shown. This table does not count as shown; the plain text does.')
        .waitFor();
      expect(await evidence.getByRole('row').count()).to.equal(1_001);
      await evidence.evaluate((region) => region.scrollTo({ top: 400, behavior: 'instant' }));
      expect(await status.textContent()).to.equal(before);
    });
  });

  describe('images in subjects', () => {
    const countUnseenNotes = async (): Promise<number> => {
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('form', { name: 'Approve' }).waitFor();
      return page.getByText('Not all details of this request have been in view yet.').count();
    };

    it('should show an image with its type and size, and its text on request', async () => {
      // when
      await openApproval({ photo: PNG });
      const input = findInput('photo');
      const image = input.getByRole('img', { name: 'Image in photo' });
      await image.waitFor();

      // then
      await input.getByText('image/png, 70 bytes').waitFor();
      expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).to.equal(1);
      await expectAccessibleInBothThemes();
      expect(await countUnseenNotes()).to.equal(0);

      // when
      await input.getByText('Plain', { exact: true }).click();

      // then
      await input.getByText(PNG, { exact: true }).waitFor();
    });

    it('should show SVG and broken images as text', async () => {
      // when
      await openApproval({ drawing: SVG, broken: BROKEN_PNG });

      // then
      await findInput('drawing').getByText(SVG, { exact: true }).waitFor();
      await findInput('broken').getByText(BROKEN_PNG, { exact: true }).waitFor();
      expect(await page.locator('dd').getByRole('img').count()).to.equal(0);
      expect(await countUnseenNotes()).to.equal(0);
    });
  });

  describe('patches', () => {
    it('should show new and deleted files in one column, and color the lines of a merge', async () => {
      // when
      await openApproval({ patch: MERGE });
      const getFile = (name: string): Locator => page.locator('.cs-patch-file', { hasText: name });
      await page
        .getByRole('radio', { name: 'Side by side' })
        .and(page.locator(':checked'))
        .waitFor({ state: 'attached' });

      // then
      expect(await getFile('changed.txt').locator('.cs-diff-pair').count()).to.equal(1);
      for (const name of ['new.txt', 'gone.txt', 'merged.txt'])
        expect(await getFile(name).locator('.cs-diff-pair').count(), name).to.equal(0);
      expect(await getFile('new.txt').locator('.cs-diff-added').textContent()).to.equal('1+Line 1 added: new');
      expect(await getFile('gone.txt').locator('.cs-diff-removed').textContent()).to.equal('1−Line 1 removed: gone');
      expect(await getFile('merged.txt').locator('.cs-diff-side').allTextContents()).to.deep.equal([
        '1  one',
        '− Line removed: mine',
        ' −Line removed: theirs',
        '2++Line 2 added: both',
      ]);
      expect(await getFile('merged.txt').locator('.cs-diff-removed').count()).to.equal(2);
      await expectAccessibleInBothThemes();
    });
  });
});
