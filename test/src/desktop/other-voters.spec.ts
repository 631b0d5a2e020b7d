import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: who can decide instead', function () {
  this.timeout(60_000);
  let countersign: TestHost;
  let screen: Screen;
  let desktop: Desktop;
  let page: Page;
  let approval: Approval;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    approval = await (await ApprovalMaker.deployTo(countersign, 'simple')).createApproval('simple');
    desktop = await startDesktop({ screen });
    ({ page } = desktop);
  });

  after(async () => {
    await desktop?.close();
    deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  it('should be stated for users who may not decide, with a link to copy', async () => {
    // given
    await signIn(desktop, countersign, 'operator', 'otto');
    await openApproval(desktop, approval);
    await page.getByText(/^Any other approver can decide this/).waitFor();

    // when
    await page.getByRole('button', { name: 'Copy link' }).click();

    // then
    await page.getByText('Link copied').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search approvals' });
    await search.focus();
    await page.keyboard.press('Control+V');
    expect(await search.inputValue()).to.equal(`${countersign.url}/approvals/${approval.approvalId}`);
  });
});
