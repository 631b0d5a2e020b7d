import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { pressInSameFrame } from './press-in-same-frame.spec.support.js';
import { expectAccessible, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: evidence counted as opened', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window | undefined;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'pieces', 'notes');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(async () => {
    await window?.close();
    window = undefined;
  });

  async function open({ approvalId }: Approval, name = 'five.md'): Promise<Window> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    const { page } = window;
    await page.clock.install();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${countersign.url}/approvals/${approvalId}`);
    await page.getByRole('button', { name: `Open ${name}` }).waitFor();
    return window;
  }

  const evidenceItem = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(`${name}, version 1`) });
  const evidenceContent = (page: Page, name: string) => page.getByRole('region', { name: `${name}, version 1` });
  const expectStatusText = (page: Page, name: string, statusText: RegExp | string) =>
    evidenceItem(page, name).getByText(statusText, { exact: true }).waitFor();
  const countOpened = (page: Page): Promise<number> => page.getByText(/^Opened/).count();

  /** Presses `e` until the evidence counts as opened; each press must show more of it. */
  async function scrollEvidence(page: Page, name: string): Promise<void> {
    const shown = evidenceItem(page, name).getByText(/ % shown/);
    for (let before = await shown.innerText(); !before.startsWith('Opened'); before = await shown.innerText()) {
      await page.keyboard.press('e');
      await evidenceItem(page, name).getByText(before, { exact: true }).waitFor({ state: 'detached' });
    }
  }

  async function approve(page: Page, approvalId: string): Promise<Approval> {
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Yes, approve' }).click();
    await page.clock.fastForward(5_000);
    await page.getByText('Approved by ada.').first().waitFor();
    return maker.vera.getApproval({ approvalId });
  }

  it('should not count evidence as opened if the user only skips past it by key', async () => {
    // given: five pieces of evidence, each taller than its visible area
    const { page } = await open(await maker.createApprovalWithEvidence(30, 30, 30, 30, 30));
    // when
    await page.keyboard.press('e');
    await expectStatusText(page, 'one.md', /% shown: keep reading$/);
    await pressInSameFrame(page, 'e', 'e', 'e');
    // then
    expect(await countOpened(page)).to.be.below(2);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/The risk is high: open the evidence first \(.*five\.md\)/).waitFor();
  });

  it('should move from one artifact to the next by key, scroll to its end, and record what was shown with the vote', async () => {
    // given
    const approval = await maker.createApprovalWithEvidence(2, 30, 2, 600, 2);
    const { page } = await open(approval);

    // when: a short piece counts immediately
    await page.keyboard.press('e');
    await expectStatusText(page, 'one.md', 'Opened');
    expect(await evidenceContent(page, 'one.md').evaluate((region) => region === document.activeElement)).to.equal(
      true,
    );

    // when: a piece exceeds the visible part
    await page.keyboard.press('e');
    await expectStatusText(page, 'two.md', /% shown: keep reading$/);
    await page.keyboard.press('e');
    await expectStatusText(page, 'two.md', 'Opened');
    await page.keyboard.press('e');
    await expectStatusText(page, 'three.md', 'Opened');

    // when: a long piece, for which the first part is enough
    await page.keyboard.press('e');
    await expectStatusText(page, 'four.md', /% shown: keep reading$/);
    await scrollEvidence(page, 'four.md');
    await page.keyboard.press('e');
    await expectStatusText(page, 'five.md', 'Opened');

    // then
    const { votes } = await approve(page, approval.approvalId);
    const shown = votes[0]?.shown ?? [];
    expect(shown.map(({ name, percent }) => (name === 'four.md' ? name : `${name} ${percent}`))).to.deep.equal([
      'one.md 100',
      'two.md 100',
      'three.md 100',
      'four.md',
      'five.md 100',
    ]);
    const longEvidence = shown.find(({ name }) => name === 'four.md');
    expect(longEvidence?.percent).to.be.within(1, 50);
    expect(shown.map(({ sha256 }) => sha256)).to.deep.equal(approval.subject.evidence.map(({ sha256 }) => sha256));
    await page
      .getByText(/Was shown: one\.md, two\.md, three\.md, four\.md \(\d+ %\), five\.md/)
      .first()
      .waitFor();
  });

  it('should continue reading without gaps even if keys are pressed faster than the page renders', async () => {
    // given
    const { page } = await open(await maker.createApprovalWithEvidence(2, 2, 2, 2, 200));
    await page.getByRole('button', { name: 'Open five.md' }).click();
    await expectStatusText(page, 'five.md', /% shown: keep reading$/);
    await evidenceContent(page, 'five.md').focus();

    // when: several key presses in the same frame
    await evidenceContent(page, 'five.md').evaluate(async (region) => {
      for (let count = 0; count < 6; count += 1) {
        region.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }));
        for (let microtask = 0; microtask < 10; microtask += 1) await Promise.resolve();
      }
    });

    // then: no part was skipped, so that the piece can still count
    await scrollEvidence(page, 'five.md');
  });

  it('should scroll an artifact opened by click into view, and not count skipped parts', async () => {
    const { page } = await open(await maker.createApprovalWithEvidence(2, 2, 2, 2, 30));
    await page.getByRole('button', { name: 'Open five.md' }).click();
    await expectStatusText(page, 'five.md', /% shown: keep reading$/);
    const [before, end] = await evidenceContent(page, 'five.md').evaluate((region) => [
      region.scrollTop,
      region.scrollHeight,
    ]);
    expect(before).to.equal(0);
    await evidenceContent(page, 'five.md').evaluate(
      (region, to) => region.scrollTo({ top: to, behavior: 'instant' }),
      end ?? 0,
    );
    await evidenceContent(page, 'five.md').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('PageDown');
    await expectStatusText(page, 'five.md', 'Opened');
  });

  it('should count downloaded evidence as opened, and record the download with the vote', async () => {
    const approval = await maker.createApprovalWithEvidence(2, 2, 2, 2, 2);
    const { page } = await open(approval);
    for (const name of ['one.md', 'two.md', 'three.md', 'four.md', 'five.md']) {
      const downloadEvent = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download ${name}` }).click();
      await downloadEvent;
    }
    const { votes } = await approve(page, approval.approvalId);
    expect(votes[0]?.shown?.map(({ percent, downloaded }) => [percent, downloaded])).to.deep.equal(
      Array(5).fill([0, true]),
    );
  });

  it('should still count evidence as opened after the user returns from another page', async () => {
    // given
    const { page } = await open(await maker.createApprovalWithEvidence(2, 2, 2, 2, 2));
    await page.keyboard.press('e');
    await expectStatusText(page, 'one.md', 'Opened');

    // when
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await page.goBack();

    // then
    await expectStatusText(page, 'one.md', 'Opened');
    await expectStatusText(page, 'two.md', 'Not opened yet');
  });

  it('should list unopened evidence in the dialog for several approvals, and record what was shown with each vote', async () => {
    // given: one piece fully read, one partly read, and one only listed
    const buildNotes = (label: string): string =>
      Array.from({ length: 30 }, (_, line) => `${label}, line ${line + 1}.`).join('\n');
    const approvals = [
      await maker.createApprovalWithNotes('notes', buildNotes('First')),
      await maker.createApprovalWithNotes('notes', buildNotes('Second')),
      await maker.createApprovalWithNotes('notes', buildNotes('Third')),
    ];
    const [firstApproval] = approvals as [Approval];
    const { page } = await open(firstApproval, 'notes.md');
    const rows = page.getByRole('row', { name: /Approve the notes/ });
    await rows.nth(2).waitFor();
    const getShownApprovalId = (): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.keyboard.press('e');
    await expectStatusText(page, 'notes.md', /% shown: keep reading$/);
    await page.keyboard.press('e');
    await expectStatusText(page, 'notes.md', 'Opened');
    await rows.and(page.locator('[aria-current="false"]')).first().click();
    await page.waitForURL((url) => !url.pathname.endsWith(firstApproval.approvalId));
    const openedApproval = approvals.find(({ approvalId }) => approvalId === getShownApprovalId());
    await expectStatusText(page, 'notes.md', 'Not opened yet');
    await page.keyboard.press('e');
    await expectStatusText(page, 'notes.md', /% shown: keep reading$/);

    // when
    for (let index = 0; index < 3; index += 1) await rows.nth(index).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Approve 3', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve 3 requests together?' });

    // then
    await dialog.getByText('Not opened yet', { exact: true }).waitFor();
    await dialog.getByText(/^\d+ % shown: keep reading$/).waitFor();
    expect(await dialog.getByText('notes.md', { exact: true }).count()).to.equal(2);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }

    // when
    await dialog.getByRole('button', { name: 'Approve 3', exact: true }).click();
    await dialog.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(5_000);
    await page.getByRole('dialog', { name: 'Results' }).getByText('Approved').nth(2).waitFor();

    // then
    for (const { approvalId, runId, subject } of approvals) {
      const pack = await maker.vera.getEvidencePack({ runId });
      const voteEvent = pack.events.find(({ type }) => type === 'approval.voted');
      const shown = voteEvent?.data['shown'] as { readonly sha256: string; readonly percent: number }[];
      const sha256 = subject.evidence[0]?.sha256;
      if (approvalId === firstApproval.approvalId)
        expect(shown).to.deep.equal([{ sha256, percent: 100, downloaded: false }]);
      else if (approvalId === openedApproval?.approvalId) {
        expect(shown).to.have.length(1);
        expect(shown[0]).to.include({ sha256, downloaded: false });
        expect(shown[0]?.percent).to.be.within(1, 99);
      } else expect(shown).to.deep.equal([]);
    }
  });
});
