import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { Keyboard } from './keyboard.spec.support.js';
import { findFocusErrors } from './page-checks.spec.support.js';
import { extendUndoWindow } from './undo-window.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

/** Height of the bar with one line, in px. */
const LINE_HEIGHT = 40;
const VOTES = 4;

(hasBrowser() ? describe : describe.skip)('web: several pending votes', () => {
  let countersign: TestHost;
  let browser: Browser;
  let approvals: Approval[];

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    const maker = await ApprovalMaker.deployTo(countersign, 'simple');
    approvals = [];
    for (let count = 0; count < VOTES + 1; count += 1) approvals.push(await maker.createApproval('simple'));
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  /** Opens the first approval, and rejects four approvals. The votes stay in their undo window. */
  async function openWithVotes(viewport = { width: 1280, height: 800 }): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      viewport,
      afterVote: 'next',
    });
    const { page } = window;
    await page.goto(`${countersign.url}/approvals/${approvals[0]?.approvalId}`);
    await waitUntilLive(page);
    await extendUndoWindow(page);
    for (const approval of approvals.slice(0, VOTES)) {
      await page.locator(`article[data-approval="${approval.approvalId}"]`).waitFor();
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('form', { name: 'Reject' }).getByRole('textbox').fill(approval.approvalId);
      await page.keyboard.press('Control+Enter');
    }
    await page.locator(`article[data-approval="${approvals.at(-1)?.approvalId}"]`).waitFor();
    return window;
  }
  const bar = (page: Page) => page.getByRole('region', { name: 'Your decisions' });
  const moreButton = (page: Page) => bar(page).getByRole('button', { name: `${VOTES - 1} more` });
  const rejectForm = (page: Page, index: number) =>
    page
      .locator(`article[data-approval="${approvals[index]?.approvalId}"]`)
      .getByRole('form', { name: 'Reject' })
      .getByRole('textbox');

  it('should be displayed in one line, whatever their number', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const { page, close } = await openWithVotes(viewport);
      await moreButton(page).waitFor();
      expect((await bar(page).boundingBox())?.height, `at ${viewport.width}`).to.equal(LINE_HEIGHT);
      expect(await bar(page).getByRole('group').count()).to.equal(1);
      await close();
    }
  });

  it('should be undone with the key one after the other, the last one first', async () => {
    // given
    const { page, close } = await openWithVotes();

    // when, then
    for (const index of [3, 2]) {
      await page.keyboard.press('u');
      await rejectForm(page, index).waitFor();
      expect(await rejectForm(page, index).inputValue()).to.equal(approvals[index]?.approvalId);
      await page.keyboard.press('Escape');
      await page.getByRole('form').waitFor({ state: 'detached' });
    }
    await bar(page).getByRole('button', { name: '1 more' }).waitFor();
    await close();
  });

  it('should each be undone from the list, which the keyboard reaches', async () => {
    // given
    const { page, close } = await openWithVotes();
    const keys = new Keyboard(page);

    // when: Escape closes the list
    await keys.activate('button', `${VOTES - 1} more`);
    await bar(page)
      .getByRole('group')
      .nth(VOTES - 1)
      .waitFor();
    expect(await findFocusErrors(page)).to.deep.equal([]);
    await moreButton(page).focus();
    await keys.press('Escape');

    // then
    await keys.expectFocus(moreButton(page));
    expect(await moreButton(page).getAttribute('aria-expanded')).to.equal('false');
    expect(await bar(page).getByRole('group').count()).to.equal(1);

    // when: the newest of the other votes is the first in the list
    await keys.press('Enter');
    await bar(page).getByRole('button', { name: 'Undo' }).first().click();

    // then
    await rejectForm(page, 2).waitFor();
    await bar(page)
      .getByRole('button', { name: `${VOTES - 2} more` })
      .waitFor();
    await close();
  });

  it('should leave all content reachable in a low window', async () => {
    // given
    const { page, close } = await openWithVotes({ width: 320, height: 256 });

    // when
    expect(await findFocusErrors(page)).to.deep.equal([]);
    await page.evaluate(() => globalThis.scrollTo(0, document.documentElement.scrollHeight));

    // then
    const barTop = (await bar(page).boundingBox())?.y ?? expect.fail('The bar is not displayed.');
    const actions = await page.locator('.cs-decision-foot').boundingBox();
    expect((actions?.y ?? 0) + (actions?.height ?? 0)).to.be.at.most(barTop);
    await close();
  });
});
