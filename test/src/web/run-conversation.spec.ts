import { expect } from 'chai';
import type { Role } from '@countersign/contract';
import type { Page } from 'playwright-core';
import { HOSTILE, PartsHost } from './run-parts.spec.support.js';
import { expectAccessible, expectCount, hasBrowser, openWindow, type Window } from './web.spec.support.js';

const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

(hasBrowser() ? describe : describe.skip)('web: approvals, conversation and artifacts of a run', () => {
  let host: PartsHost;
  let window: Window;
  let page: Page;

  before(async () => {
    host = await PartsHost.start();
  });

  after(() => host?.close());

  afterEach(() => window.close());

  async function open(
    runId: string,
    query: string,
    role: Role = 'operator',
    subject: string = role,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<void> {
    window = await openWindow(host.browser, {
      url: host.countersign.url,
      token: await host.countersign.token(role, { subject }),
      colorScheme,
    });
    ({ page } = window);
    await page.goto(`${host.countersign.url}/runs/${runId}?${query}`);
  }

  it('should let an operator answer a question in a form of its schema, and resume the run', async () => {
    // given
    const { runId } = await host.startAskingRun();
    await open(runId, 'tab=conversation');
    const conversation = page.getByRole('list', { name: 'Conversation' });
    await conversation.getByText('Whose is it?').waitFor();
    await expectAccessible(page);

    // when
    await conversation.getByRole('combobox', { name: 'Team' }).press('ArrowDown');
    await page.getByRole('option', { name: 'printing' }).click();
    await conversation.getByRole('button', { name: 'Answer' }).press('Enter');

    // then
    await conversation.getByRole('listitem').filter({ hasText: 'operator' }).getByText('printing').waitFor();
    await conversation.getByText('Answered').waitFor();
    await expectCount(conversation.getByRole('button', { name: 'Answer' }), 0);
    await host.waitForRun(runId, ({ pendingApprovals }) => pendingApprovals === 1);
  });

  it('should offer the options of a question, or a text field if any answer is valid', async () => {
    const chooser = await host.startAskingRun('chooser');
    await open(chooser.runId, 'tab=conversation', 'operator', 'olga', 'dark');
    await page.getByRole('radio', { name: `right ${HOSTILE[1]}` }).press('Space');
    await expectAccessible(page);
    // The sentence that explains why the run waits has a button with the same name, which opens this tab.
    await page.getByRole('tabpanel', { name: 'Conversation' }).getByRole('button', { name: 'Answer' }).press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'olga' }).getByText(`right ${HOSTILE[1]}`).waitFor();
    const askerRun = await host.startAskingRun('asker');
    await page.goto(`${host.countersign.url}/runs/${askerRun.runId}?tab=conversation`);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Yes, on Tuesday.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').filter({ hasText: 'olga' }).getByText('Yes, on Tuesday.').waitFor();
  });

  it('should offer viewers neither answers nor uploads', async () => {
    const { runId } = await host.startAskingRun('chooser');
    await open(runId, 'tab=conversation', 'viewer');
    await page.getByText('Operators may answer this question.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'left' }).last().waitFor();
    await expectCount(page.getByRole('button', { name: 'Answer' }), 0);
    await page.getByRole('tab', { name: 'Artifacts' }).click();
    await page.getByText('This run has no artifacts').waitFor();
    await expectCount(page.getByRole('button', { name: 'Upload files' }), 0);
  });

  it('should show the subject, the evidence and the votes of an approval live', async () => {
    // given
    const { runId } = await host.startReviewedRun();
    await open(runId, 'tab=approvals', 'approver', 'bea');
    const card = page.getByRole('article', { name: 'Publish the report, Round 1' });
    await card.getByText('0 of 2 approvals').waitFor();
    await card.getByRole('tree', { name: 'Inputs' }).getByText('score').waitFor();
    await card.getByRole('link', { name: 'report.md, version 1' }).waitFor();
    expect(await card.getByRole('link', { name: 'Decide' }).getAttribute('href')).to.match(
      /\/approvals\/[0-9a-f-]{36}$/,
    );
    await expectAccessible(page);

    // when
    const ada = await host.countersign.client('approver', 'ada');
    const [approval] = (await ada.listApprovals({ runId })).items;
    await ada.decideApproval({
      approvalId: approval?.approvalId ?? '',
      body: { decision: 'approve', comment: `Fine. ${HOSTILE[0]}` },
    });

    // then
    await card.getByText('1 of 2 approvals').waitFor();
    await card.getByRole('list', { name: 'Votes' }).getByText(`Fine. ${HOSTILE[0]}`).waitFor();
    await card.getByRole('link', { name: 'report.md, version 1' }).click();
    await page.getByRole('region', { name: 'report.md' }).getByRole('heading', { name: 'Findings' }).waitFor();
  });

  it('should upload files as new versions, compare versions and download them', async () => {
    // given
    const { runId } = await host.startReviewedRun();
    await open(runId, 'tab=artifacts', 'operator', 'olga', 'dark');
    const uploadFile = async (name: string, mimeType: string, buffer: Buffer): Promise<void> => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload files' }).click();
      await (await chooser).setFiles({ name, mimeType, buffer });
    };

    // when
    await uploadFile('notes.txt', 'text/plain', Buffer.from('one\ntwo is here\n'));
    await page.getByText('notes.txt was stored as version 1.').waitFor();
    await uploadFile('notes.txt', 'text/plain', Buffer.from('one\ntwo was here\n'));
    await page.getByText('notes.txt was stored as version 2.').waitFor();

    // then
    await page
      .getByRole('grid', { name: 'Artifacts of the run' })
      .getByRole('row', { name: 'notes.txt 2' })
      .press('Enter');
    const pane = page.getByRole('region', { name: 'notes.txt' });
    await pane.getByText('two was here').waitFor();
    await pane.getByRole('button', { name: 'Compare with version 1' }).click();
    await pane.getByText('1 line added, 1 removed').waitFor();
    expect(await pane.locator('ins').textContent()).to.equal('was');
    expect(await pane.locator('del').textContent()).to.equal('is');
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await pane.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).to.equal('notes.txt');

    // when
    await uploadFile('pixel.png', 'image/png', PIXEL_PNG);
    await page.getByText('pixel.png was stored as version 1.').waitFor();
    await page.getByRole('row', { name: 'pixel.png' }).press('Enter');

    // then
    const image = page.getByRole('img', { name: 'pixel.png' });
    await image.waitFor();
    expect(await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)).to.equal(
      1,
    );
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`should mark added and removed lines of a patch with words and with colours (${colorScheme})`, async () => {
      // given a removed SQL comment, and a line that looks like a file name
      const { runId } = await host.startAskingRun();
      const body = [
        'diff --git a/q.sql b/q.sql',
        '--- a/q.sql',
        '+++ b/q.sql',
        '@@ -1,3 +1,3 @@',
        ' select 1;',
        '--- never drop',
        '-select 2;',
        '+++ b/q.sql',
        '+drop table runs;',
        '',
      ].join('\n');
      await host.operator.uploadArtifact({ runId, artifactName: 'q.patch', body, contentType: 'text/x-diff' });

      // when
      await open(runId, 'tab=artifacts&artifact=q.patch', 'viewer', 'vera', colorScheme);

      // then
      const patch = page.getByRole('region', { name: 'Content of q.patch' });
      await patch.getByText('drop table runs;').waitFor();
      expect(await patch.locator('.cs-diff-note').allTextContents()).to.deep.equal([
        'diff --git a/q.sql b/q.sql',
        '--- a/q.sql',
        '+++ b/q.sql',
        '@@ -1,3 +1,3 @@',
      ]);
      await patch.getByText('Unified', { exact: true }).click();
      expect(await patch.locator('.cs-diff-text').allTextContents()).to.deep.equal([
        'select 1;',
        'Line 2 removed: -- never drop',
        'Line 2 added: ++ b/q.sql',
        'Line 3 removed: select 2;',
        'Line 3 added: drop table runs;',
      ]);
      const colours = await patch
        .locator('.cs-diff-side')
        .evaluateAll((sides) => sides.map((side) => getComputedStyle(side).backgroundColor));
      const [same, removed, added] = colours;
      expect(new Set([removed, added, same]).size).to.equal(3);
      expect([colours[3], colours[4]]).to.deep.equal([removed, added]);
      await expectAccessible(page);
    });
  }

  it('should display hostile content as plain text and never execute it', async () => {
    // given
    const { runId, steps } = await host.startReviewedRun('hostile');
    const files = {
      'evil.svg': ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${HOSTILE[0]}</svg>`],
      'evil.html': ['text/html', HOSTILE.join('')],
      'evil.png': ['image/png', HOSTILE[2]],
      'evil.csv': ['text/csv', `a,b\n${HOSTILE[0]},${HOSTILE[1]}\n`],
      'evil.json': ['application/json', JSON.stringify({ a: HOSTILE })],
    } as const;
    for (const [artifactName, [contentType, body = '']] of Object.entries(files))
      await host.operator.uploadArtifact({ runId, artifactName, body, contentType });
    const step = steps.find(({ elementId }) => elementId === 'work')?.stepId ?? '';
    await open(runId, `step=${step}`, 'admin');

    /** Asserts that hostile text was treated only as text. */
    const expectHarmless = async (context: string): Promise<void> => {
      const found = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            'main script, main iframe, main style, main form[action], main svg[onload], main img[src^="http"], main img[src="x"], main [onclick], main [onerror], main a[href^="javascript"]',
          ),
        ].map(({ outerHTML }) => outerHTML),
      );
      expect(found, context).to.deep.equal([]);
    };

    // then
    const drawer = page.getByRole('dialog', { name: `Step Research ${HOSTILE[1]}` });
    await drawer
      .getByText(HOSTILE[0] ?? '')
      .first()
      .waitFor();
    await drawer.getByText('Image: picture').waitFor();
    await drawer.getByRole('button', { name: 'look Called' }).click();
    await drawer
      .getByText(HOSTILE[1] ?? '')
      .nth(1)
      .waitFor();
    await expectHarmless('drawer');
    for (const [tab, text] of [
      ['approvals', HOSTILE[0]],
      ['conversation', HOSTILE[0]],
      ['events', HOSTILE[0]],
    ] as const) {
      await page.goto(`${host.countersign.url}/runs/${runId}?tab=${tab}`);
      await page
        .getByText(text ?? '')
        .first()
        .waitFor();
      await expectHarmless(tab);
    }
    for (const [name, [, body = '']] of Object.entries(files)) {
      await page.goto(`${host.countersign.url}/runs/${runId}?tab=artifacts&artifact=${name}`);
      const text = name === 'evil.csv' || name === 'evil.json' ? HOSTILE[0] : body;
      await page
        .getByRole('region', { name })
        .getByText(text ?? '')
        .first()
        .waitFor();
      await expectHarmless(name);
    }
  });
});
