import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import type { Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { extendUndoWindow } from '../web/undo-window.spec.support.js';
import { openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: the next approval after a vote', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let screen: Screen;
  let desktop: Desktop;
  let page: Page;
  let approvals: Approval[];

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    const maker = await ApprovalMaker.deployTo(countersign, 'simple');
    approvals = [];
    for (let count = 0; count < 2; count += 1) approvals.push(await maker.createApproval('simple'));
    desktop = await startDesktop({ screen, afterVote: 'next' });
    ({ page } = desktop);
  });

  after(async () => {
    await desktop?.close();
    deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  const shows = (approval: Approval | undefined): Promise<void> =>
    page.locator(`article[data-approval="${approval?.approvalId}"]`).waitFor();

  it('should be displayed, and give way to the decided approval when the vote is undone', async () => {
    // given
    await signIn(desktop, countersign, 'approver', 'ada');
    await openApproval(desktop, approvals[0] as Approval);

    // when
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await extendUndoWindow(page);
    await page.keyboard.press('Control+Enter');

    // then
    await shows(approvals[1]);

    // when
    await page.keyboard.press('u');

    // then
    await shows(approvals[0]);
    await page.getByRole('form', { name: 'Approve' }).waitFor();
  });
});
