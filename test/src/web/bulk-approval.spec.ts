import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

type UndoMoment = 'the undo window ends' | 'Undo';

(hasBrowser() ? describe : describe.skip)('web: undoing a vote on several approvals at the last moment', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window;
  let page: Page;
  let approval: Approval;
  let sentVoteCount: number;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });

  beforeEach(async () => {
    approval = await maker.createApproval('simple');
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    page = window.page;
    sentVoteCount = 0;
    page.on(
      'request',
      (request) => (sentVoteCount += Number(request.method() === 'POST' && request.url().includes('/api/approvals/'))),
    );
    // The test controls the end of the undo window.
    await page.addInitScript(() => {
      const scope = globalThis as unknown as {
        heldTimers: (() => void)[];
        setTimeout: (run: () => void, ms?: number) => number;
      };
      scope.heldTimers = [];
      const originalSetTimeout = scope.setTimeout.bind(globalThis);
      scope.setTimeout = (run, ms = 0) => {
        if (ms <= 1_000 || ms > 5_000) return originalSetTimeout(run, ms);
        scope.heldTimers.push(run);
        return originalSetTimeout(() => undefined, 0);
      };
    });
    await page.goto(`${countersign.url}/approvals/${approval.approvalId}`);
    await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    await page.locator('[role="row"][aria-current="true"]').getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Approve 1', exact: true }).click();
    await dialog('Approve 1 request together?').getByRole('button', { name: 'Approve 1', exact: true }).click();
    await dialog('Approve 1 request together?')
      .getByText(/^Sending in \d s$/)
      .waitFor();
  });

  afterEach(() => window.close());

  /** Triggers the moments in this order within one task of the page, so that nothing is rendered between them. */
  async function triggerMoments(...moments: readonly UndoMoment[]): Promise<void> {
    const undo = await dialog('Approve 1 request together?').getByRole('button', { name: 'Undo' }).elementHandle();
    await page.evaluate(
      ([button, order]) => {
        for (const moment of order) {
          if (moment === 'Undo') (button as HTMLElement | null)?.click();
          else for (const run of (globalThis as unknown as { heldTimers: (() => void)[] }).heldTimers.splice(0)) run();
        }
      },
      [undo, moments] as const,
    );
  }

  const getCurrentStatus = async (): Promise<string> =>
    (await maker.vera.getApproval({ approvalId: approval.approvalId })).status;

  it('should send no vote if the user undoes it just before the undo window ends', async () => {
    // when
    await triggerMoments('Undo', 'the undo window ends');

    // then
    await dialog('Approve 1 request together?').getByRole('button', { name: 'Go back' }).click();
    await dialog('Approve 1 request together?').waitFor({ state: 'detached' });
    expect({ sent: sentVoteCount, status: await getCurrentStatus() }).to.deep.equal({ sent: 0, status: 'pending' });
  });

  it('should not show a vote as undone if it was just sent', async () => {
    // given
    let releaseRequest = (): void => undefined;
    const requestReleased = new Promise<void>((resolve) => (releaseRequest = resolve));
    await page.route(/\/api\/approvals\//, async (route) => {
      if (route.request().method() === 'POST') await requestReleased;
      await route.continue();
    });

    // when
    await triggerMoments('the undo window ends', 'Undo');

    // then
    await dialog('Approve 1 request together?').getByRole('button', { name: 'Sending' }).waitFor();
    releaseRequest();
    await dialog('Results').getByText('Approved').waitFor();
    expect({ sent: sentVoteCount, status: await getCurrentStatus() }).to.deep.equal({ sent: 1, status: 'approved' });
  });
});
