import type { Approval } from '@countersign/contract';
import { createTestHost, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from '../web/approvals.spec.support.js';
import {
  stubDialogs,
  findButton,
  readDialogDetails,
  skipUndoWindow,
  openApproval,
} from '../desktop/deciding.spec.support.js';
import { expectCount } from '../web/web.spec.support.js';
import {
  deleteUserData,
  hasElectron,
  Screen,
  signIn,
  startDesktop,
  type Desktop,
} from '../desktop/desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: voting on approvals', () => {
  const agents = new ScriptedAgents(WRITER_AGENT);
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let page: Page;

  before(async function () {
    // Allows a second start of the application if it does not respond to its debugger.
    this.timeout(60_000);
    [countersign, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      Screen.start(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum', 'evidence', 'agent');
    await signInApprovers(countersign, 'dora');
    desktop = await startDesktop({ screen });
    ({ page } = desktop);
    await signIn(desktop, countersign, 'approver', 'ada');
    await page.locator('[data-live="live"]').waitFor();
    await page.clock.install();
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const findForm = (name: string) => page.getByRole('form', { name });

  it('should approve by keyboard, after the first vote was undone within the undo window', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await openApproval(desktop, approval);
    await findButton(page, 'Approve').waitFor();
    // when
    await page.keyboard.press('a');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/Approving “Approve the release”: sending in \d s/).waitFor();
    await page.keyboard.press('u');
    await findForm('Approve').waitFor();
    await page.clock.fastForward(5_000);
    // then
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);
    // when
    await findForm('Approve').getByRole('button', { name: 'Approve' }).press('Enter');
    await skipUndoWindow(page);
    // then
    await page.getByText('Approved by ada.').first().waitFor();
    const { votes, status } = await getCurrentApproval(approval);
    expect(status).to.equal('approved');
    expect(votes).to.have.length(1);
    expect(votes[0]).to.include({ decision: 'approve', by: 'ada', digest: approval.digest });
  });

  it('should reject with a comment', async () => {
    const approval = await maker.createApproval('simple');
    await openApproval(desktop, approval);
    await findButton(page, 'Reject').click();
    await findForm('Reject').getByLabel('Comment').fill('Not in the week of the audit.');
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes[0]).to.include({
      decision: 'reject',
      comment: 'Not in the week of the audit.',
    });
  });

  it('should request changes with a comment, and show the next round with its differences', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await openApproval(desktop, approval);
    await findButton(page, 'Request changes').click();
    // when
    await findForm('Request changes').getByRole('button', { name: 'Request changes' }).press('Enter');
    await page.getByText('Say what must change.').waitFor();
    await findForm('Request changes').getByLabel('Comment').fill('Name the migration.');
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('ada asked for changes.').first().waitFor();
    await maker.completeDraft({ notes: 'Fixes the printer. Runs a migration.' });
    // then
    await findButton(page, 'Show round 2').click();
    await page.getByRole('heading', { name: 'Since round 1' }).waitFor();
    await page.getByRole('row', { name: /\/notes.*Runs a migration/ }).waitFor();
    await page.keyboard.press('r');
    await findForm('Reject').getByLabel('Comment').press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
  });

  it('should list the missing voters of a quorum before and after a vote', async () => {
    const approval = await maker.createApproval('quorum');
    await openApproval(desktop, approval);
    await page.getByText('2 approvals are missing from ada, bea, cem.').first().waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('ada approved. One approval is missing from bea, cem.').first().waitFor();
    await page.getByText('You have already voted').waitFor();
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    await page.getByText('Approved by bea.').first().waitFor();
  });

  it('should require opened evidence and a confirmation at high risk', async () => {
    // given
    const approval = await maker.createRiskyApproval();
    await openApproval(desktop, approval);
    await findButton(page, 'Approve').waitFor();
    await page.keyboard.press('a');
    await page.getByText('The risk is high: open the evidence first (notes.md).').waitFor();
    await findForm('Approve').getByRole('button', { name: 'Approve' }).press('Enter');
    await expectCount(page.getByRole('dialog'), 0);
    // when
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByText('Opened', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await findForm('Approve').getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByRole('dialog', { name: 'High risk: approve this request?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.clock.fastForward(5_000);
    expect((await getCurrentApproval(approval)).votes, 'a hasty Enter does not vote').to.deep.equal([]);
    await findForm('Approve').getByRole('button', { name: 'Approve' }).press('Enter');
    await findButton(page, 'Yes, approve').click();
    await skipUndoWindow(page);
    // then
    await page.getByText('Approved by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).status).to.equal('approved');
  });

  it('should propose edited arguments of a call, and execute the call with them', async () => {
    // given
    const approval = await maker.createApproval('agent');
    await openApproval(desktop, approval);
    await findButton(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Edit arguments' }).click();
    // when
    await page.getByRole('textbox', { name: 'Text of the note' }).fill('Politely.');
    await findButton(page, 'Propose these arguments').click();
    const changedRow = page.getByRole('dialog').getByRole('row', { name: '/text' });
    expect([await changedRow.locator('del').innerText(), await changedRow.locator('ins').innerText()]).to.deep.equal([
      'hello',
      'Politely.',
    ]);
    await findButton(page, 'Yes, propose them').click();
    await skipUndoWindow(page);
    // then
    await findButton(page, 'Show round 2').click();
    await maker.approveEditedCall(approval.runId);
    await page.getByText('Approved by zoe.').first().waitFor();
    for await (const event of maker.vera.streamRunEvents({ runId: approval.runId })) void event;
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
      { text: 'Politely.' },
    ]);
  });

  it('should delegate an approval only after confirmation in a system dialog', async () => {
    // given
    const approval = await maker.createApproval('quorum');
    await openApproval(desktop, approval);
    const delegate = async () => {
      await findButton(page, 'More actions').click();
      await page.getByRole('menuitem', { name: 'Delegate' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delegate this approval' });
      await dialog.getByRole('combobox', { name: 'Who may decide for you' }).fill('dora');
      await dialog.getByRole('button', { name: 'Delegate' }).click();
      return dialog;
    };
    // when
    await stubDialogs(desktop, 0);
    const dialog = await delegate();
    // then
    await dialog.getByRole('alert').getByText('You did not confirm the action').first().waitFor();
    expect((await getCurrentApproval(approval)).delegations).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // when
    await stubDialogs(desktop, 1);
    await delegate();
    // then
    await page.getByText('ada delegated this approval to dora').waitFor();
    expect((await readDialogDetails(desktop))[0])
      .to.contain('Approve by two')
      .and.to.contain('dora');
    expect((await getCurrentApproval(approval)).delegations).to.have.length(1);
  });

  it('should approve several low-risk approvals together, with one vote and one audit event each', async () => {
    // given
    const approvals = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    await openApproval(desktop, approvals[1]!);
    const checkboxes = page.getByRole('row', { name: /Approve the release/ }).getByRole('checkbox');
    await checkboxes.nth(1).waitFor();
    const riskyApproval = await maker.createRiskyApproval();
    await page
      .getByRole('row', { name: /Approve the risky release/ })
      .first()
      .waitFor();
    await expectCount(
      page.getByRole('row', { name: /Approve the risky release.*High risk/ }).getByRole('checkbox'),
      0,
      'checkbox of a high-risk approval',
    );
    // when
    await checkboxes.nth(0).click();
    await checkboxes.nth(1).click();
    await findButton(page, 'Approve 2').click();
    const dialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await dialog.getByRole('button', { name: 'Approve 2' }).click();
    await dialog.getByRole('button', { name: 'Undo' }).waitFor();
    await skipUndoWindow(page);
    // then
    await page.getByRole('dialog', { name: 'Results' }).getByText('Approved').nth(1).waitFor();
    await page.keyboard.press('Escape');
    const admin = await countersign.client('admin', 'root');
    for (const approval of approvals) {
      expect(await getCurrentApproval(approval)).to.include({ status: 'approved', resolvedBy: 'ada' });
      const { items } = await admin.listAuditEvents({ runId: approval.runId, actor: 'ada' });
      expect(
        items.filter(({ target }) => target?.id === approval.approvalId).map(({ action, result }) => [action, result]),
      ).to.deep.equal([['approval.vote', 'ok']]);
    }
    expect((await getCurrentApproval(riskyApproval)).votes).to.deep.equal([]);
  });
});
