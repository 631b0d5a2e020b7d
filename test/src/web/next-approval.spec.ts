import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { extendUndoWindow, skipExtendedUndoWindow } from './undo-window.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, waitUntilLive, type Window } from './web.spec.support.js';

/**
 * Records what is displayed after each change of the page. The observer is called before the browser draws a frame, so
 * that no displayed state is missed.
 */
async function recordSteps(page: Page): Promise<void> {
  await page.evaluate(() => {
    const steps: string[] = [];
    (globalThis as { steps?: string[] }).steps = steps;
    const record = (): void => {
      const id = document.querySelector('article[data-approval]')?.getAttribute('data-approval');
      const hasForm = [...document.querySelectorAll('form h3')].some(({ textContent }) => textContent === 'Approve');
      const votes = document.querySelectorAll('.cs-pending-votes [role="group"]').length;
      const step = `${id}, ${hasForm ? 'a form' : 'no form'}, ${votes} pending votes`;
      if (steps.at(-1) !== step) steps.push(step);
    };
    record();
    new MutationObserver(record).observe(document.documentElement, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  });
}

const readSteps = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as { steps?: string[] }).steps ?? []);

(hasBrowser() ? describe : describe.skip)('web: the next approval after a vote', () => {
  let countersign: TestHost;
  let browser: Browser;
  let approvals: Approval[];

  before(async () => {
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS });
    const maker = await ApprovalMaker.deployTo(countersign, 'simple');
    approvals = [];
    for (let count = 0; count < 3; count += 1) approvals.push(await maker.createApproval('simple'));
  });

  afterEach(() => countersign.close());

  after(() => browser?.close());

  async function open(index: number, viewport = { width: 1280, height: 800 }): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
      viewport,
      afterVote: 'next',
    });
    const { page } = window;
    await page.goto(`${countersign.url}/approvals/${approvals[index]?.approvalId}`);
    await waitUntilLive(page);
    await shows(page, index);
    return window;
  }

  /** Waits until an approval is displayed. */
  async function shows(page: Page, index: number): Promise<void> {
    await page.locator(`article[data-approval="${approvals[index]?.approvalId}"]`).waitFor();
  }

  async function approve(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');
  }

  it('should be displayed without waiting for the server, and focused in the list', async () => {
    // given
    const window = await open(0);
    const { page } = window;
    await page
      .getByRole('row', { name: /Approve the release/ })
      .nth(2)
      .waitFor();
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('approvalIds=')),
    );
    await extendUndoWindow(page);
    await page.context().route('**/api/approvals**', () => undefined);

    // when
    await approve(page);

    // then
    await shows(page, 1);
    const focused = page.locator('.cs-inbox-item:focus');
    await focused.waitFor();
    expect(await focused.getAttribute('aria-current')).to.equal('true');
    await window.close();
  });

  it('should replace the decided approval and its form in one step, together with the pending vote', async () => {
    // given
    const window = await open(0);
    const { page } = window;
    await extendUndoWindow(page);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await recordSteps(page);

    // when
    await page.keyboard.press('Control+Enter');

    // then
    await shows(page, 1);
    await page.locator('.cs-inbox-item:focus').waitFor();
    expect(await readSteps(page)).to.deep.equal([
      `${approvals[0]?.approvalId}, a form, 0 pending votes`,
      `${approvals[1]?.approvalId}, no form, 1 pending votes`,
    ]);
    await window.close();
  });

  it('should give way to the decided approval and its form when the vote is undone', async () => {
    // given
    const window = await open(1);
    const { page } = window;
    await extendUndoWindow(page);
    await approve(page);
    await shows(page, 2);

    // when
    await page.keyboard.press('u');

    // then
    await shows(page, 1);
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await window.close();
  });

  it('should not give the focus to a form that is open there, so that a second key press sends nothing', async () => {
    // given
    const window = await open(1);
    const { page } = window;
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.keyboard.type('Not this week.');
    await page.getByRole('row').nth(1).click();
    await shows(page, 0);
    await extendUndoWindow(page);

    // when
    await approve(page);
    await shows(page, 1);
    const form = page.getByRole('form', { name: 'Reject' });
    await form.waitFor();
    await page.keyboard.press('Control+Enter');

    // then
    expect(await page.locator('.cs-inbox-item:focus').count()).to.equal(1);
    expect(await page.locator('.cs-pending-votes [role="group"]').count()).to.equal(1);

    // when
    await page.keyboard.press('r');

    // then
    await form.getByRole('textbox').and(page.locator(':focus')).waitFor();
    expect(await form.getByRole('textbox').inputValue()).to.equal('Not this week.');
    await window.close();
  });

  it('should not be opened if the user has chosen to stay', async () => {
    // given
    const window = await open(0);
    const { page } = window;
    await page.getByRole('button', { name: 'ada · Approver' }).click();
    await page
      .getByRole('group', { name: 'After a vote' })
      .getByRole('menuitemradio', { name: 'Stay on the item' })
      .click();
    await page.keyboard.press('Escape');
    await page.clock.install();
    await extendUndoWindow(page);

    // when
    await approve(page);
    await skipExtendedUndoWindow(page);

    // then
    await page.locator('.cs-decision').getByText('Approved by ada.').first().waitFor();
    await shows(page, 0);
    await window.close();
  });

  it('should be the first one after the last, and none once the user has decided all', async () => {
    // given
    const window = await open(2);
    const { page } = window;
    await page.clock.install();

    // when
    for (const next of [0, 1]) {
      await extendUndoWindow(page);
      await approve(page);
      await shows(page, next);
      await skipExtendedUndoWindow(page);
    }
    await extendUndoWindow(page);
    await approve(page);
    await skipExtendedUndoWindow(page);

    // then
    await page.locator('.cs-decision').getByText('Approved by ada.').first().waitFor();
    await shows(page, 1);
    await window.close();
  });

  it('should be displayed in a narrow window too', async () => {
    // given
    const window = await open(0, { width: 390, height: 800 });
    const { page } = window;
    await extendUndoWindow(page);

    // when
    await approve(page);

    // then
    await shows(page, 1);
    await page.locator('.cs-decision h2:focus').waitFor();
    await window.close();
  });
});
