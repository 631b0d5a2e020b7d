import type { Role } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { expectAccessible, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: delegating and reassigning approvals', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'quorum');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  async function openApproval(approvalId: string, role: Role, subject: string): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject }),
    });
    await window.page.goto(`${countersign.url}/approvals/${approvalId}`);
    return window;
  }

  async function chooseAction(page: Page, menuItem: 'Delegate' | 'Reassign') {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: menuItem, exact: true }).click();
    return page.getByRole('dialog', { name: `${menuItem} this approval` });
  }

  it('should delegate an approval, and count the vote of the delegate in place of the candidate', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const window = await openApproval(approvalId, 'approver', 'ada');
    const { page } = window;

    // when
    const dialog = await chooseAction(page, 'Delegate');
    expect(await dialog.getByRole('button', { name: 'Delegate' }).isDisabled(), 'without a delegate').to.equal(true);
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Who may decide for you' }).fill(' dora ');
    await dialog.getByLabel('Until').fill('2099-01-01T12:00');
    await page.keyboard.press('Enter');

    // then
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('ada delegated this approval to dora').waitFor();
    const dora = await countersign.client('approver', 'dora');
    const approval = await dora.getApproval({ approvalId });
    expect(approval.delegations).to.deep.equal([
      { from: 'ada', to: 'dora', until: '2099-01-01T11:00:00.000Z', voteId: null, absenceId: null },
    ]);
    expect(approval.canDecide.allowed).to.equal(true);
    await page.locator('[data-live="live"]').waitFor();
    await dora.decideApproval({ approvalId, body: { decision: 'approve' } });
    await page.getByText('dora approved. One approval is missing from bea, cem.').first().waitFor();
    await page.getByText('You have already voted, or a substitute voted for you.').waitFor();
    await window.close();
  });

  it('should show why the server refuses a delegation, and keep the input', async () => {
    const { approvalId } = await maker.createApproval('quorum');
    const window = await openApproval(approvalId, 'approver', 'ada');
    const { page } = window;
    const dialog = await chooseAction(page, 'Delegate');
    await dialog.getByRole('textbox', { name: 'Who may decide for you' }).fill('dora');
    await (await countersign.client('approver', 'ada')).decideApproval({ approvalId, body: { decision: 'reject' } });
    await dialog.getByRole('button', { name: 'Delegate' }).click();
    await dialog.getByRole('alert').getByText('approval_already_resolved').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Who may decide for you' }).inputValue()).to.equal('dora');
    await window.close();
  });

  it('should let only an admin reassign an approval', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const ada = await openApproval(approvalId, 'approver', 'ada');
    await ada.page.getByRole('button', { name: 'More actions' }).click();
    await ada.page.getByRole('menuitem').first().waitFor();
    expect(await ada.page.getByRole('menuitem').allInnerTexts()).to.deep.equal(['Delegate']);
    await ada.close();
    const window = await openApproval(approvalId, 'admin', 'root');
    const { page } = window;

    // when
    const dialog = await chooseAction(page, 'Reassign');
    expect(await dialog.getByRole('button', { name: 'Reassign' }).isDisabled(), 'without candidates').to.equal(true);
    await dialog.getByRole('textbox', { name: 'Users' }).fill('eve, fay ,eve,');
    await dialog.getByRole('textbox', { name: 'Groups' }).fill('auditors');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('They are away.');
    await dialog.getByRole('button', { name: 'Reassign' }).click();

    // then
    await dialog.waitFor({ state: 'detached' });
    const eve = await countersign.client('approver', 'eve');
    const approval = await eve.getApproval({ approvalId });
    expect(approval).to.deep.include({ candidateUsers: ['eve', 'fay'], candidateGroups: ['auditors'] });
    expect(approval.canDecide.allowed).to.equal(true);
    expect((await (await countersign.client('approver', 'ada')).getApproval({ approvalId })).canDecide).to.deep.equal({
      allowed: false,
      reasons: ['not_a_candidate'],
    });
    const { items } = await eve.listRunEvents({ runId: approval.runId, limit: 200 });
    expect(items.find(({ type }) => type === 'approval.reassigned'))
      .to.deep.include({ actor: 'root' })
      .and.have.nested.property('data.comment', 'They are away.');
    await window.close();
  });
});
