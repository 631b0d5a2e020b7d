import type { Approval } from '@countersign/contract';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { EvidenceReader } from './evidence-reader.spec.support.js';
import { expectAccessible, hasBrowser } from './web.spec.support.js';

const LINE_COUNT = 80;
const PATCH = [
  '--- /dev/null',
  '+++ b/pay.ts',
  `@@ -0,0 +1,${LINE_COUNT} @@`,
  ...Array.from({ length: LINE_COUNT }, (_, index) => `+const line${index + 1} = ${index + 1};`),
  '',
].join('\n');

/** Longer than what is displayed of a comment at first. */
const LONG_COMMENT = Array.from({ length: 40 }, (_, index) => `Remark ${index + 1}`).join('\n');

(hasBrowser() ? describe : describe.skip)('web: comments within evidence', () => {
  let reader: EvidenceReader;
  let approval: Approval;
  let page: Page;
  let evidence: Locator;

  before(async () => {
    reader = await EvidenceReader.start(['pay.patch']);
  });

  after(() => reader?.close());

  beforeEach(async () => {
    approval = await reader.open({ 'pay.patch': ['text/plain', PATCH] });
    page = reader.page;
    evidence = await reader.show('pay.patch');
    await reader.expectStatus('pay.patch', /% shown/);
  });

  afterEach(() => reader.closeWindow());

  const getStatus = (): Locator => reader.getStatus('pay.patch');
  const getNotes = (): Locator => evidence.locator('.cs-line-comments');

  async function commentOnLine(number: number, text: string): Promise<void> {
    await reader.clara.commentOnApproval({
      approvalId: approval.approvalId,
      body: {
        text,
        line: {
          evidence: 'pay.patch',
          file: 'pay.ts',
          side: 'after',
          number,
          quote: `const line${number} = ${number};`,
        },
      },
    });
  }

  /** Scrolls the evidence, and waits until the page has measured what is in view. */
  const scrollTo = (bottomRow: number): Promise<void> =>
    evidence.evaluate(async (region, number) => {
      const row = region.querySelector(`[data-line="${number}"]`);
      if (row === null) throw new Error(`There is no line ${number}.`);
      region.scrollBy({
        top: row.getBoundingClientRect().bottom - region.getBoundingClientRect().bottom,
        behavior: 'instant',
      });
      for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, bottomRow);

  it('should not change what counts as seen when tall comments arrive', async () => {
    // given
    await scrollTo(20);
    const before = await getStatus().textContent();

    // when: the difference becomes several times as tall
    for (let count = 0; count < 10; count += 1) await commentOnLine(LINE_COUNT, LONG_COMMENT);
    await getNotes().locator('.cs-comment-view').nth(9).waitFor();
    const [noteHeight, lineHeight] = await evidence.evaluate((region) => [
      region.querySelector('.cs-line-comments')?.getBoundingClientRect().height ?? 0,
      region.querySelector('[data-line]')?.getBoundingClientRect().height ?? 0,
    ]);
    expect(noteHeight).to.be.greaterThan(1.5 * LINE_COUNT * (lineHeight ?? 0));
    // Lines 21 to 40 are skipped.
    await scrollTo(60);

    // then
    expect(await getStatus().textContent()).to.equal(before);

    // when: the comments are in view, and nothing else
    await getNotes().locator('.cs-comment-view').nth(5).scrollIntoViewIfNeeded();
    await evidence.evaluate((region) => region.scrollBy({ top: 300, behavior: 'instant' }));

    // then
    expect(await getStatus().textContent()).to.equal(before);

    // when
    for (const line of [30, 40, 50, 60, 70, LINE_COUNT]) await scrollTo(line);
    await evidence.evaluate((region) => region.scrollTo({ top: region.scrollHeight, behavior: 'instant' }));

    // then
    await reader.expectStatus('pay.patch', 'Opened');
  });

  it('should scroll to the next part by key without skipping a line below a comment', async () => {
    // given
    await evidence.focus();
    await commentOnLine(3, LONG_COMMENT);
    await getNotes().getByText('Remark 1', { exact: false }).first().waitFor();

    // when
    let status = await getStatus().innerText();
    while (!status.startsWith('Opened')) {
      await page.keyboard.press('e');
      await page.getByText(status, { exact: true }).waitFor({ state: 'detached' });
      status = await getStatus().innerText();
    }

    // then
    expect(status).to.match(/^Opened/);
  });

  it('should fold a long comment, which hides nothing of the evidence, and open it on request', async () => {
    // when
    await commentOnLine(2, LONG_COMMENT);

    // then
    await getNotes().getByText('Remark 12').waitFor();
    expect(await getNotes().getByText('Remark 13').count()).to.equal(0);
    expect(await getNotes().locator('[data-partly-hidden], [data-folded]').count()).to.equal(0);
    await expectAccessible(page);

    // when
    const button = getNotes().getByRole('button', { name: `Show all ${LONG_COMMENT.length} characters` });
    await button.press('Enter');

    // then
    await getNotes().getByText('Remark 40').waitFor();
    await getNotes().getByRole('button', { name: 'Show less' }).and(page.locator(':focus')).press('Enter');
    await button.waitFor();
    expect(await getNotes().getByText('Remark 13').count()).to.equal(0);
  });
});
