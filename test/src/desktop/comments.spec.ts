import type { Approval, Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { expectAccessible } from '../web/web.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: comments on an approval', () => {
  let countersign: TestHost;
  let otto: Client;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let approval: Approval;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple');
    otto = await countersign.client('operator', 'otto');
    approval = await maker.createApproval('simple');
  });

  beforeEach(async () => {
    desktop = await startDesktop({ screen });
    await signIn(desktop, countersign, 'approver', 'ada');
    await desktop.page.locator('[data-live="live"]').waitFor();
  });

  afterEach(async () => {
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  it('should be written by keyboard, and show the replies of others', async () => {
    // given
    const { page } = desktop;
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();
    await page.keyboard.press('j');
    await page.locator(`article[data-approval="${approval.approvalId}"]`).waitFor();

    // when
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Comment without voting' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Which build?');
    await page.keyboard.press('Control+Enter');
    const discussion = page.getByRole('region', { name: /^Discussion/ });
    await discussion.getByText('Which build?').waitFor();
    const { items } = await otto.listApprovalComments({ approvalId: approval.approvalId });
    await otto.commentOnApproval({
      approvalId: approval.approvalId,
      body: { text: 'Build 7', replyTo: items[0]!.commentId },
    });

    // then
    expect(items.map(({ by, text }) => [by, text])).to.deep.equal([['ada', 'Which build?']]);
    await discussion.getByRole('list', { name: '1 reply' }).getByText('Build 7').waitFor();
    await page.getByRole('row', { name: /Approve the release.*2 comments/ }).waitFor();
    expect(await otto.getApproval({ approvalId: approval.approvalId })).to.include({ status: 'pending' });
    await expectAccessible(page);
  });

  it('should be refused for an approval that was never opened, so that a script cannot comment on all of them', async () => {
    const other = await maker.createApproval('simple');
    const { page } = desktop;
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .waitFor();

    const result = await page.evaluate((approvalId) => {
      const { countersign: bridge } = window as unknown as {
        countersign: { comment(input: object): Promise<object> };
      };
      return bridge.comment({ approvalId, body: { text: 'Fine!' }, idempotencyKey: 'key-of-comment' });
    }, other.approvalId);

    expect(result).to.include({ ok: false, code: 'not_shown' });
    expect((await otto.listApprovalComments({ approvalId: other.approvalId })).items).to.deep.equal([]);
  });
});
