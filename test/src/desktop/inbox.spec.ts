import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { pressInSameFrame } from '../web/press-in-same-frame.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: the inbox', () => {
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), Screen.start()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
  });

  after(async () => {
    await screen?.stop();
    await countersign?.close();
  });

  beforeEach(async () => {
    desktop = await startDesktop({ screen });
  });

  afterEach(async () => {
    await desktop.close();
    deleteUserData(desktop.userData);
  });

  it('should ask for a server at the first start and refuse an insecure URL', async () => {
    const { page } = desktop;
    await page.getByRole('heading', { name: 'Welcome to Countersign' }).waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill('http://countersign.example.com');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('Use https. Only servers on this computer may use http.').waitFor();
  });

  it('should show a new approval immediately and send the vote after the undo window', async () => {
    // given
    const { page } = desktop;
    await signIn(desktop, countersign, 'approver', 'ada');
    await page.locator('[data-live="live"]').waitFor();
    await page.clock.install();
    // when
    const approval = await maker.createApproval('simple');
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/Approving “Approve the release”/).waitFor();
    expect(await maker.vera.getApproval({ approvalId: approval.approvalId })).to.include({ status: 'pending' });
    await page.clock.fastForward(5_000);
    // then
    await page.getByRole('row', { name: /Approved/ }).waitFor();
    const { status, votes } = await maker.vera.getApproval({ approvalId: approval.approvalId });
    expect({ status, by: votes.map(({ by }) => by) }).to.deep.equal({ status: 'approved', by: ['ada'] });
  });

  it('should not restore a search that was cleared by a shortcut', async () => {
    // given
    const { page } = desktop;
    await Promise.all([maker.createApproval('simple'), maker.createRiskyApproval()]);
    await signIn(desktop, countersign, 'approver', 'ada');
    const findRows = (title: string) => page.getByRole('row', { name: title });
    await findRows('Approve the risky release').click();
    await page.getByRole('heading', { level: 2, name: 'Approve the risky release' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search approvals' }).fill('risky');
    await findRows('Approve the release').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    // when
    await pressInSameFrame(page, 'g', 'a', 'j');
    // then
    await findRows('Approve the release').first().waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search approvals' }).inputValue()).to.equal('');
  });
});
