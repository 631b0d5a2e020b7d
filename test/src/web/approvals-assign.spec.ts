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
    await signIn('approver', { subject: 'dora', name: 'Dora Quist' });
    await signIn('approver', { subject: 'u-7', name: 'Dörte', userName: 'doerte@example.com', groups: ['auditors'] });
    await signIn('approver', { subject: 'quinn', name: 'Quinn Quist' });
    await signIn('viewer', { subject: 'vic', name: 'Vic' });
  });

  /** Makes a user known to the server. */
  async function signIn(role: Role, claims: Parameters<TestHost['token']>[1]): Promise<void> {
    const headers = { authorization: `Bearer ${await countersign.token(role, claims)}` };
    expect((await fetch(`${countersign.url}/api/me`, { headers })).status).to.equal(200);
  }

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
    const dialog = page.getByRole('dialog', { name: `${menuItem} this approval` });
    await dialog.locator('[role="combobox"]:focus').waitFor();
    return dialog;
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
    await page.keyboard.type('dor');
    await page.getByRole('option', { name: 'Dora Quist dora' }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('combobox', { name: 'Who may decide for you' }).fill(' dora ');
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
    await dialog.getByRole('combobox', { name: 'Who may decide for you' }).fill('dora');
    await (await countersign.client('approver', 'ada')).decideApproval({ approvalId, body: { decision: 'reject' } });
    await dialog.getByRole('button', { name: 'Delegate' }).click();
    await dialog.getByRole('alert').getByText('approval_already_resolved').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Who may decide for you' }).inputValue()).to.equal('dora');
    await window.close();
  });

  it('should offer the people who have signed in, and choose the first match with Enter', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'approver', 'ada');
    const dialog = await chooseAction(page, 'Delegate');
    const field = dialog.getByRole('combobox', { name: 'Who may decide for you' });

    // when
    await page.keyboard.press('ArrowDown');

    // then: neither the user nor services; who cannot be chosen comes last
    await page.getByRole('option', { name: 'Quinn Quist quinn' }).waitFor();
    const offered = await page.getByRole('option').allInnerTexts();
    expect(offered.some((text) => text.startsWith('ada'))).to.equal(false);
    expect(offered.at(-1)?.split(/\s+/)).to.deep.equal(['Vic', 'vic', 'Cannot', 'decide']);
    expect(await page.getByRole('option', { name: 'Vic' }).getAttribute('aria-disabled')).to.equal('true');

    // when
    await page.keyboard.type('DÖRT');
    await page.locator('[data-combobox-selected]', { hasText: 'doerte@example.com' }).waitFor();
    await page.keyboard.press('Enter');

    // then: the form is sent only with the next Enter
    expect(await field.inputValue()).to.equal('doerte@example.com');
    await dialog.getByText('Dörte', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('ada delegated this approval to doerte@example.com').waitFor();
    await close();
  });

  it('should refuse a name that nobody has, until the user confirms exactly this name', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'approver', 'ada');
    const dialog = await chooseAction(page, 'Delegate');
    const field = dialog.getByRole('combobox', { name: 'Who may decide for you' });
    await field.fill('nobody-such-user');

    // when
    await page.keyboard.press('Enter');

    // then
    await dialog.getByRole('alert').getByText('Nobody has signed in as nobody-such-user').waitFor();
    const ada = await countersign.client('approver', 'ada');
    expect((await ada.getApproval({ approvalId })).delegations).to.deep.equal([]);

    // when: the name changes, there is nothing to confirm
    await field.fill('nobody-else');
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Delegate' }).click();
    await dialog.getByRole('button', { name: 'Use anyway' }).click();

    // then
    await dialog.waitFor({ state: 'detached' });
    expect((await ada.getApproval({ approvalId })).delegations.map(({ to }) => to)).to.deep.equal(['nobody-else']);
    await close();
  });

  it('should not choose anyone for a name that nobody has who can decide, and close with one Escape', async () => {
    // given: the only match cannot decide
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'approver', 'ada');
    const dialog = await chooseAction(page, 'Delegate');
    const field = dialog.getByRole('combobox', { name: 'Who may decide for you' });
    await page.keyboard.type('vi');
    await page.getByRole('option', { name: 'Vic vic Cannot decide' }).waitFor();

    // when
    await page.keyboard.press('Enter');

    // then: the form is sent
    await dialog.getByRole('alert').getByText('Nobody has signed in as vi', { exact: true }).waitFor();

    // when: there is no match
    await field.fill('zzz');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-expanded')).to.equal('false');
    await page.keyboard.press('Escape');

    // then
    await dialog.waitFor({ state: 'detached' });
    await close();
  });

  it('should tell screen readers which choice Enter would choose', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'approver', 'ada');
    const dialog = await chooseAction(page, 'Delegate');
    const field = dialog.getByRole('combobox', { name: 'Who may decide for you' });
    const waitForActive = (text: string) =>
      page.waitForFunction((expected) => {
        const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
        return (document.getElementById(id)?.textContent ?? '').includes(expected);
      }, text);

    // when
    await page.keyboard.type('quin');

    // then
    await waitForActive('Quinn Quist');

    // when: the user moves with the arrow keys, and types on
    await field.fill('d');
    await page.getByRole('option', { name: 'Dörte' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('ör');

    // then
    await waitForActive('Dörte');
    await close();
  });

  it('should drop the refusal of a name that is removed, and send what is being typed', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'admin', 'root');
    const dialog = await chooseAction(page, 'Reassign');
    await page.keyboard.type('nobody-such-user,');
    await dialog.getByRole('button', { name: 'Reassign' }).click();
    await dialog.getByRole('alert').getByText('Nobody has signed in as').waitFor();

    // when
    await dialog.getByRole('button', { name: 'Remove nobody-such-user' }).click();

    // then
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await dialog.getByRole('combobox', { name: 'Users' }).and(page.locator(':focus')).waitFor();

    // when
    await page.keyboard.type('quinn');
    await dialog.getByRole('button', { name: 'Reassign' }).click();

    // then
    await dialog.waitFor({ state: 'detached' });
    const admin = await countersign.client('admin', 'root');
    expect((await admin.getApproval({ approvalId })).candidateUsers).to.deep.equal(['quinn']);
    await close();
  });

  it('should accept typed names if the users cannot be loaded', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'approver', 'ada');
    await page.route('**/api/users?*', (route) => route.fulfill({ status: 404, body: '{}' }));
    const dialog = await chooseAction(page, 'Delegate');

    // when
    await page.keyboard.type('quinn');
    await page.keyboard.press('Enter');

    // then
    await dialog.waitFor({ state: 'detached' });
    const ada = await countersign.client('approver', 'ada');
    expect((await ada.getApproval({ approvalId })).delegations.map(({ to }) => to)).to.deep.equal(['quinn']);
    await close();
  });

  it('should choose users and groups for a reassignment with the keyboard', async () => {
    // given
    const { approvalId } = await maker.createApproval('quorum');
    const { page, close } = await openApproval(approvalId, 'admin', 'root');
    const dialog = await chooseAction(page, 'Reassign');
    const marked = page.locator('[data-combobox-selected]');

    // when
    await page.keyboard.type('QUINN qui');
    await marked.filter({ hasText: 'Quinn Quist' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('bea, cem,');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Tab');
    await dialog.getByRole('combobox', { name: 'Groups' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('AUDIT');
    await marked.filter({ hasText: '1 person can decide' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    // then: the present candidates are accepted, although they have not signed in
    await dialog.waitFor({ state: 'detached' });
    const admin = await countersign.client('admin', 'root');
    expect(await admin.getApproval({ approvalId })).to.deep.include({
      candidateUsers: ['quinn', 'bea'],
      candidateGroups: ['auditors'],
    });
    await close();
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
    await dialog.getByRole('combobox', { name: 'Users' }).fill('eve, fay ,eve,');
    await dialog.getByRole('combobox', { name: 'Groups' }).fill('auditors');
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('They are away.');
    await dialog.getByRole('button', { name: 'Reassign' }).click();
    await dialog.getByRole('alert').getByText('Nobody has signed in as eve, fay').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Use anyway' }).click();

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
