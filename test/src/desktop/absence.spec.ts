import type { Approval, Client } from '@countersign/contract';
import { createTestHost, isoTimeIn, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { stubDialogs, findButton, readDialogDetails, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: out of office', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;
  let page: Page;
  let ada: Client;
  let cem: Client;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'quorum');
    [ada, cem] = await Promise.all([countersign.client('approver', 'ada'), countersign.client('approver', 'cem')]);
    await signInApprovers(countersign, 'dora');
    desktop = await startDesktop({ screen });
    ({ page } = desktop);
    await signIn(desktop, countersign, 'approver', 'ada');
    await page.locator('[data-live="live"]').waitFor();
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  const absenceDialog = () => page.getByRole('dialog', { name: 'Out of office' });
  const absenceBanner = () => page.getByRole('region', { name: 'Out of office' });

  async function setAbsence(substitute: string): Promise<void> {
    await page.getByRole('button', { name: /^ada · / }).click();
    await page.getByRole('menuitem', { name: 'Out of office' }).click();
    await absenceDialog()
      .getByLabel('Away until')
      .fill(isoTimeIn(3 * 86_400_000).slice(0, 16));
    await absenceDialog().getByRole('combobox', { name: 'Substitute' }).fill(substitute);
    await absenceDialog().getByRole('button', { name: 'Save' }).click();
  }

  it('should set a substitute only after the person confirms in a system dialog', async () => {
    // when
    await stubDialogs(desktop, 0);
    await setAbsence('dora');

    // then
    await absenceDialog().getByRole('alert').getByText('You did not confirm the action').first().waitFor();
    expect(await ada.getMyAbsence()).to.deep.equal({ absence: null });
    await page.keyboard.press('Escape');
    await absenceDialog().waitFor({ state: 'detached' });

    // when
    await stubDialogs(desktop, 1);
    await setAbsence('dora');

    // then
    await absenceBanner().getByText('dora decides for you.').waitFor();
    expect((await readDialogDetails(desktop))[0]).to.match(/^Substitute: dora\nFrom: Now\nUntil: \w+/);
    expect((await ada.getMyAbsence()).absence).to.include({ substitute: 'dora', setBy: 'ada' });

    // and ending the absence needs no confirmation
    await stubDialogs(desktop, 0);
    await absenceBanner().getByRole('button', { name: 'End now' }).click();
    await absenceBanner().waitFor({ state: 'detached' });
    expect(await readDialogDetails(desktop)).to.deep.equal([]);
    expect(await ada.getMyAbsence()).to.deep.equal({ absence: null });
  });

  it('should not ask for confirmation of an absence without a substitute', async () => {
    await stubDialogs(desktop, 0);
    await setAbsence('');
    await absenceBanner().getByText('No one decides for you.').waitFor();
    expect(await readDialogDetails(desktop)).to.deep.equal([]);
    await ada.endMyAbsence();
    await absenceBanner().waitFor({ state: 'detached' });
  });

  it('should show the approval of an absent candidate to the substitute, who votes in place of the candidate', async () => {
    // given: ada has voted on one approval, and is the substitute of cem on another
    const ownApproval = await maker.createApproval('quorum');
    await ada.decideApproval({ approvalId: ownApproval.approvalId, body: { decision: 'approve' } });
    const substitutedApproval = await maker.createApproval('quorum');
    const { approvalId } = substitutedApproval;
    const admin = await countersign.client('admin', 'root');
    await admin.reassignApproval({ approvalId, body: { candidateUsers: ['cem', 'bea'] } });

    // when
    await cem.setMyAbsence({ body: { until: isoTimeIn(86_400_000), substitute: 'ada' } });

    // then
    await page.getByText('For cem').first().waitFor();
    await openApproval(desktop, substitutedApproval as Approval);
    await page.getByText('You decide for cem').waitFor();
    await page.getByText(/cem is away until .* ada decides for them\./).waitFor();
    await findButton(page, 'Approve').click();
    await page.getByRole('form', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/ada approved in place of cem/).waitFor();
    expect((await ada.getApproval({ approvalId })).votes[0]).to.include({ by: 'ada', inPlaceOf: 'cem' });
    expect((await cem.getApproval({ approvalId })).canDecide.reasons).to.deep.equal(['already_voted']);
  });
});
