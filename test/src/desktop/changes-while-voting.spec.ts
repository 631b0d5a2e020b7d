import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { waitUntilLive } from '../web/web.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';
import { extendUndoWindow, skipExtendedUndoWindow } from '../web/undo-window.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: changes during a decision', function () {
  // The feed reconnects after a pause, see waitUntilLive().
  this.timeout(90_000);

  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  const startedDesktops: Desktop[] = [];

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
  });

  afterEach(async () => {
    for (const desktop of startedDesktops.splice(0)) {
      await desktop.close();
      deleteUserData(desktop.userData);
    }
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  async function start(subject = 'ada', host: Pick<TestHost, 'url' | 'token'> = countersign): Promise<Desktop> {
    const desktop = await startDesktop({ screen });
    startedDesktops.push(desktop);
    await signIn(desktop, host, 'approver', subject);
    await desktop.page.locator('[data-live="live"]').waitFor();
    await desktop.page.clock.install();
    return desktop;
  }
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  async function approve(page: Page): Promise<void> {
    await findButton(page, 'Approve').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Control+Enter');
  }

  it('should not record a vote on a subject that changes during the undo window, but show the next round', async () => {
    // given: a pending vote on an approval whose evidence was opened
    const approval = await maker.createRiskyApproval('# Notes\n\n- Fixes the printer\n');
    const desktop = await start();
    const { page } = desktop;
    await openApproval(desktop, approval);
    await findButton(page, 'Open notes.md').click();
    await page.getByText('Opened', { exact: true }).waitFor();
    await extendUndoWindow(page);
    await approve(page);
    await findButton(page, 'Yes, approve').click();
    // when
    await maker.upload(approval.runId, '# Notes\n\n- Fixes the printer\n- Drops the audit log\n');
    await page.getByRole('alert').filter({ hasText: 'This has changed since you opened it' }).waitFor();
    await skipExtendedUndoWindow(page);
    // then
    await page.getByRole('alert').filter({ hasText: 'was not counted' }).waitFor();
    await findButton(page, 'Show round 2').click();
    await page.getByText('- Drops the audit log').first().waitFor();
    await page.getByText('Not opened yet').waitFor();
    const [reopenedApproval] = (await maker.vera.listApprovals({ runId: approval.runId })).items;
    expect(reopenedApproval).to.deep.include({ round: 2, status: 'pending', votes: [] });
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
  });

  it('should record one of two concurrent votes and show the other person who decided', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const desktops = await Promise.all([start('ada'), start('bea')]);
    for (const desktop of desktops) {
      await openApproval(desktop, approval);
      await extendUndoWindow(desktop.page);
      await approve(desktop.page);
      await desktop.page.getByText(/: sending in/).waitFor();
    }
    // when
    await Promise.all(desktops.map(({ page }) => skipExtendedUndoWindow(page)));
    // then
    for (const { page } of desktops)
      await page
        .getByText(/Approved by (ada|bea)\./)
        .first()
        .waitFor();
    const { votes } = await getCurrentApproval(approval);
    expect(votes).to.have.length(1);
    const winner = votes[0]?.by ?? '';
    const loser = desktops[winner === 'ada' ? 1 : 0].page;
    await loser.getByRole('alert').filter({ hasText: 'Approving “Approve the release” was not counted.' }).waitFor();
    await loser.getByText(`Approved by ${winner}.`).first().waitFor();
    expect(await desktops[winner === 'ada' ? 0 : 1].page.getByText('was not counted').count()).to.equal(0);
  });

  it('should record a vote only once if it is retried after a restart of the server', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const Server = { Port: await findFreePort() };
    const first = await createTestHost({ shareDataWith: countersign, configuration: { Server } });
    const desktop = await start('ada', first);
    const { page } = desktop;
    await openApproval(desktop, approval);
    await extendUndoWindow(page);
    await approve(page);
    await page.getByText(/: sending in/).waitFor();
    // when
    await first.close();
    await page.locator('[data-live="polling"]').waitFor();
    await skipExtendedUndoWindow(page);
    // then
    const noResponseAlert = page.getByRole('alert').filter({ hasText: 'no response' });
    await noResponseAlert.waitFor();
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    // when
    const restartedHost = await createTestHost({
      shareDataWith: countersign,
      configuration: { Server },
    });
    await waitUntilLive(page);
    await findButton(page, 'Retry').click();
    // then
    await noResponseAlert.waitFor({ state: 'detached' });
    await page.getByText('Approved by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes.map(({ by }) => by)).to.deep.equal(['ada']);
    await restartedHost.close();
  });

  it('should keep the entered text when the session ends, and send it after a new sign-in', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const desktop = await start();
    const { page } = desktop;
    await openApproval(desktop, approval);
    await findButton(page, 'Reject').click();
    const comment = page.getByRole('form', { name: 'Reject' }).getByLabel('Comment');
    await comment.fill('Not this week.');
    // when: the token expires, and new approvals cause requests
    const shortToken = await countersign.token('approver', { subject: 'ada', expiresInSeconds: 2 });
    await page.evaluate(
      (token) =>
        (
          window as unknown as { countersign: { useDevelopmentToken(input: object): Promise<unknown> } }
        ).countersign.useDevelopmentToken({ token }),
      shortToken,
    );
    const sessionEndedDialog = page.getByRole('dialog', { name: 'Your session has ended' });
    while (!(await sessionEndedDialog.isVisible())) await maker.createApproval('simple');
    await sessionEndedDialog
      .getByLabel(/^Development token/)
      .fill(await countersign.token('approver', { subject: 'ada' }));
    await sessionEndedDialog.getByRole('button', { name: 'Sign in' }).click();
    await sessionEndedDialog.waitFor({ state: 'detached' });
    // then
    expect(await comment.inputValue()).to.equal('Not this week.');
    await page.locator('[data-live="live"]').waitFor();
    await comment.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes.map(({ comment: voteComment }) => voteComment)).to.deep.equal([
      'Not this week.',
    ]);
  });
});
