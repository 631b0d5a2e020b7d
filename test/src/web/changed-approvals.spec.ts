import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { APPROVAL_JOBS, ApprovalMaker } from './approvals.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: approvals that change while they are open', () => {
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([createTestHost({ jobTypes: APPROVAL_JOBS }), launchBrowser()]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  /** Opens a window whose clock the test advances. */
  async function open({ approvalId }: Approval): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token('approver', { subject: 'ada' }),
    });
    await window.page.clock.install();
    await window.page.goto(`${countersign.url}/approvals/${approvalId}`);
    await button(window.page, 'Approve').waitFor();
    await window.page.locator('[data-live="live"]').waitFor();
    return window;
  }

  const skipUndoWindow = (page: Page): Promise<void> => page.clock.fastForward(5_000);
  const getCurrentApproval = (approval: Approval): Promise<Approval> =>
    maker.vera.getApproval({ approvalId: approval.approvalId });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function rejectAsBea({ approvalId }: Approval): Promise<void> {
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId, body: { decision: 'reject', comment: 'I was faster.' } });
  }

  it('should show who voted first while the user writes a comment', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(approval);
    const { page } = window;
    await page.keyboard.press('c');
    await page.getByRole('form').getByLabel('Comment').fill('Please');
    await rejectAsBea(approval);
    await page.getByText('Someone else decided this while you had it open.').waitFor();
    await page.getByText('Rejected by bea.').first().waitFor();
    await page.getByText('I was faster.').waitFor();
    await expectCount(page.getByRole('form'), 0);
    await window.close();
  });

  it('should not count a vote if another user decided the approval in the undo window', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(approval);
    const { page } = window;
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await rejectAsBea(approval);
    await skipUndoWindow(page);
    await page.getByRole('alert').filter({ hasText: 'Approving “Approve the release” was not counted.' }).waitFor();
    expect((await getCurrentApproval(approval)).votes.map(({ by }) => by)).to.deep.equal(['bea']);
    await window.close();
  });

  it('should open a new round with differences if the evidence changes, and discard the pending vote', async () => {
    // given: the evidence of the first round was opened, and the vote is pending
    const approval = await maker.createRiskyApproval('# Notes\n\n- Fixes the printer\n');
    const window = await open(approval);
    const { page } = window;
    await button(page, 'Open notes.md').click();
    await page.getByText('Opened', { exact: true }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await button(page, 'Yes, approve').click();

    // when
    await maker.upload(approval.runId, '# Notes\n\n- Fixes the printer\n- Drops the audit log\n');
    await page.getByRole('alert').filter({ hasText: 'This has changed since you opened it' }).waitFor();
    await skipUndoWindow(page);

    // then
    await page.getByRole('alert').filter({ hasText: 'was not counted' }).waitFor();
    await button(page, 'Show round 2').click();
    await page.getByText('notes.md: changes since the previous round').waitFor();
    await page.getByText('- Drops the audit log').first().waitFor();
    await page.getByText('Not opened yet').waitFor();
    const [reopenedApproval] = (await maker.vera.listApprovals({ runId: approval.runId })).items;
    expect(reopenedApproval).to.deep.include({ round: 2, status: 'pending', votes: [] });
    await window.close();
  });

  it('should require opened evidence and a confirmation at high risk', async () => {
    // given
    const approval = await maker.createRiskyApproval(
      '# Notes\n\n- Fixes the printer\n\n[unseen]: https://elsewhere.example\n',
    );
    const window = await open(approval);
    const { page } = window;
    await page.keyboard.press('a');
    await page.getByText('The risk is high: open the evidence first (notes.md).').waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Approve' }).press('Enter');
    await expectCount(page.getByRole('dialog'), 0);

    // when
    await page.keyboard.press('e');
    await page.getByText('Opened', { exact: true }).waitFor();
    const content = page.getByRole('region', { name: 'notes.md, version 1' });
    await content.getByText('[unseen]: https://elsewhere.example').waitFor();
    await content.getByText('Formatted').click();
    await content.getByRole('heading', { name: 'Notes' }).waitFor();
    expect(await content.textContent(), 'the formatted view hides the link target').not.to.include('elsewhere.example');
    await page.getByRole('form').getByRole('button', { name: 'Approve' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'High risk: approve this request?' });
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await skipUndoWindow(page);
    expect((await getCurrentApproval(approval)).votes, 'pressing Enter in the dialog does not approve').to.deep.equal(
      [],
    );
    await page.getByRole('form').getByRole('button', { name: 'Approve' }).press('Enter');
    await button(page, 'Yes, approve').click();
    await skipUndoWindow(page);

    // then
    await page.getByText('Approved by ada.').first().waitFor();
    await window.close();
  });

  it('should retry an unconfirmed vote under the same idempotency key, and count the vote once', async () => {
    // given: the server receives each request, but the page receives no response
    const approval = await maker.createApproval('simple');
    const window = await open(approval);
    const { page } = window;
    const keys: (string | undefined)[] = [];
    let isResponseLost = true;
    await page.route('**/decision', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const response = await route.fetch();
      await (isResponseLost ? route.abort('connectionreset') : route.fulfill({ response }));
    });

    // when: the client retries automatically, and then reports the failure
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    const noResponseAlert = page.getByRole('alert').filter({ hasText: 'no response' });
    await noResponseAlert.waitFor();
    expect(keys).to.have.length(3);
    isResponseLost = false;
    await button(page, 'Retry').click();
    await noResponseAlert.waitFor({ state: 'detached' });

    // then
    expect(new Set(keys).size).to.equal(1);
    await page.getByText('Approved by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes).to.have.length(1);
    await window.close();
  });
});
