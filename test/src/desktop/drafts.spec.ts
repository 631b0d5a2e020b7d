import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { expectAccessible, expectCount } from '../web/web.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

const COMMENT = 'Not before the audit log is back.';

(hasElectron() ? describe : describe.skip)('desktop: saved drafts', function () {
  this.timeout(60_000);
  let persistentHost: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let userData: string;
  let desktop: Desktop;

  before(async () => {
    [persistentHost, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(persistentHost, 'simple', 'evidence');
  });

  after(async () => {
    await screen?.stop();
    await persistentHost?.close();
  });

  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-'));
  });

  afterEach(async () => {
    await desktop?.close();
    deleteUserData(userData);
  });

  const commentBox = () => desktop.page.getByRole('form', { name: 'Reject' }).getByRole('textbox');
  const listDraftFiles = (): string[] =>
    existsSync(join(userData, 'drafts')) ? readdirSync(join(userData, 'drafts')) : [];
  const restartDesktop = async (): Promise<void> => {
    await desktop.close();
    desktop = await startDesktop({ screen, userData, keychain: true });
    await desktop.page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
  };

  /** Starts the application and enters the comment of a rejection without sending it. */
  async function typeDraft(approval: Approval, host = persistentHost): Promise<void> {
    desktop = await startDesktop({ screen, userData, keychain: true });
    await signIn(desktop, host, 'approver', 'ada');
    await openApproval(desktop, approval);
    await findButton(desktop.page, 'Reject').click();
    await commentBox().fill(COMMENT);
  }

  it('should restore an encrypted draft into the form after a restart, and delete the draft once it is sent', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await typeDraft(approval);
    // when
    await restartDesktop();
    // then
    expect(readFileSync(join(userData, 'drafts', listDraftFiles()[0] ?? ''), 'latin1')).not.to.contain('audit');
    await openApproval(desktop, approval);
    await commentBox().waitFor();
    expect(await commentBox().inputValue()).to.equal(COMMENT);
    // when
    const { page } = desktop;
    await page.clock.install();
    await page.getByRole('form').getByRole('button', { name: 'Reject' }).click();
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    await restartDesktop();
    // then
    expect((await maker.vera.getApproval({ approvalId: approval.approvalId })).votes[0]?.comment).to.equal(COMMENT);
    expect(listDraftFiles()).to.deep.equal([]);
    await openApproval(desktop, approval);
    await desktop.page.getByText('Rejected by ada.').first().waitFor();
    await expectCount(desktop.page.getByText('Your draft'), 0);
  });

  it('should show a draft in an alert instead of the form if the approval has changed since', async () => {
    // given
    const approval = await maker.createRiskyApproval();
    await typeDraft(approval);
    await desktop.close();
    await maker.upload(approval.runId, '# Notes\n\n- Drops the audit log\n');
    const findSecondRound = async (): Promise<Approval | undefined> =>
      (await maker.vera.listApprovals({ runId: approval.runId, status: 'pending' })).items.find(
        ({ round }) => round === 2,
      );
    let secondRound = await findSecondRound();
    while (secondRound === undefined) secondRound = await findSecondRound();
    // when
    desktop = await startDesktop({ screen, userData, keychain: true });
    const { page } = desktop;
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await openApproval(desktop, secondRound);
    // then
    const alert = page.getByRole('alert', { name: 'Your draft was for an earlier round' });
    await alert.waitFor();
    expect(await alert.getByRole('textbox', { name: 'Your draft' }).inputValue()).to.equal(COMMENT);
    await expectCount(page.getByRole('form'), 0);
    await expectAccessible(page);
    // when
    await findButton(page, 'Discard').click();
    await alert.waitFor({ state: 'detached' });
    await findButton(page, 'Reject').click();
    // then
    expect(await commentBox().inputValue()).to.equal('');
    await restartDesktop();
    expect(listDraftFiles()).to.deep.equal([]);
  });

  it('should delete a discarded draft, and all drafts after a sign-out', async () => {
    const [approvalWithDiscardedDraft, approvalWithDraft] = [
      await maker.createApproval('simple'),
      await maker.createApproval('simple'),
    ];
    await typeDraft(approvalWithDiscardedDraft);
    await desktop.page.keyboard.press('Escape');
    await openApproval(desktop, approvalWithDraft);
    await findButton(desktop.page, 'Reject').click();
    await commentBox().fill(COMMENT);
    await restartDesktop();
    await openApproval(desktop, approvalWithDiscardedDraft);
    await findButton(desktop.page, 'Reject').waitFor();
    await expectCount(desktop.page.getByRole('form'), 0);
    await openApproval(desktop, approvalWithDraft);
    await commentBox().waitFor();
    expect(listDraftFiles()).to.have.length(1);
    await findButton(desktop.page, 'ada · Approver').click();
    await desktop.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await desktop.page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
    expect(listDraftFiles()).to.deep.equal([]);
  });

  it('should show a draft in an alert while the server does not respond', async () => {
    // given
    const host = await createTestHost({ shareDataWith: persistentHost });
    const approval = await maker.createApproval('simple');
    try {
      await typeDraft(approval, host);
    } finally {
      await desktop?.close();
      await host.close();
    }
    // when
    desktop = await startDesktop({ screen, userData, keychain: true });
    await desktop.page.getByText('Offline, as of').waitFor();
    await openApproval(desktop, approval);
    // then
    const alert = desktop.page.getByRole('alert', { name: 'Your draft is kept until the server responds' });
    expect(await alert.getByRole('textbox').inputValue()).to.equal(COMMENT);
    await expectCount(desktop.page.getByRole('form'), 0);
  });
});
