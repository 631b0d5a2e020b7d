import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from './approvals.spec.support.js';
import { findWatermarkErrors } from './page-checks.spec.support.js';
import { extendUndoWindow, restoreUndoWindow } from './undo-window.spec.support.js';
import { expectCount, hasBrowser, launchBrowser, openWindow, type Window } from './web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: voting on approvals', () => {
  const agents = new ScriptedAgents(WRITER_AGENT);
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      launchBrowser(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum', 'agent');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  /** Opens a window whose clock the test advances. */
  async function open(path: string, role: 'viewer' | 'approver' = 'approver', subject = 'ada'): Promise<Window> {
    const window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject }),
    });
    await window.page.clock.install();
    await window.page.goto(`${countersign.url}${path}`);
    return window;
  }

  const skipUndoWindow = (page: Page): Promise<void> => page.clock.fastForward(5_000);
  const getCurrentApproval = (approval: Approval): Promise<Approval> =>
    maker.vera.getApproval({ approvalId: approval.approvalId });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const noteField = (page: Page) => page.getByRole('textbox', { name: 'Text of the note' });

  /** Opens the form for editing the arguments. */
  async function openEditor(page: Page): Promise<void> {
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Edit arguments' }).click();
    await noteField(page).waitFor();
  }

  it('should vote by keyboard from the list, and undo a vote before it is sent', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const window = await open('/approvals');
    const { page } = window;
    await page.getByRole('row', { name: /Approve the release/ }).waitFor();

    // when
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    expect(page.url()).to.contain(`/approvals/${approval.approvalId}`);
    await page.keyboard.press('a');
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await extendUndoWindow(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText(/Approving “Approve the release”: sending in \d s/).waitFor();
    await page.keyboard.press('u');

    // then
    await page.getByRole('form', { name: 'Approve' }).waitFor();
    await restoreUndoWindow(page);
    await page.clock.fastForward(600_000);
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);

    // when
    await button(page, 'Approve').press('Enter');
    await skipUndoWindow(page);

    // then
    await page.getByText('Approved by ada.').first().waitFor();
    expect(await getCurrentApproval(approval)).to.include({ status: 'approved', resolvedBy: 'ada' });
    await page.getByRole('row', { name: /Approve the release.*Approved/ }).waitFor();
    await window.close();
  });

  it('should show the next step and the position of the approval in the workflow', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByText('Continue the simple run with “Publish the release”.').waitFor();
    await page.getByRole('figure', { name: 'The workflow, with the step ok highlighted' }).waitFor();
    await page.locator('.cs-diagram[data-ready="true"] .cs-waiting').waitFor();
    expect(await findWatermarkErrors(page)).to.deep.equal([]);
    expect((await getCurrentApproval(approval)).votes, 'opening an approval sends no vote').to.deep.equal([]);
    await window.close();
  });

  it('should send a rejection with its comment', async () => {
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await button(page, 'Reject').click();
    await page.getByRole('form').getByLabel('Comment').fill('Not in the week of the audit.');
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Rejected by ada.').first().waitFor();
    expect((await getCurrentApproval(approval)).votes).to.have.length(1);
    expect((await getCurrentApproval(approval)).votes[0]).to.include({
      decision: 'reject',
      comment: 'Not in the week of the audit.',
      digest: approval.digest,
    });
    await window.close();
  });

  it('should require a comment to request changes, and show the next round with its differences', async () => {
    // given
    const approval = await maker.createApproval('simple');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await button(page, 'Request changes').click();

    // when
    const form = page.getByRole('form', { name: 'Request changes' });
    await form.getByRole('button', { name: 'Request changes' }).press('Enter');
    await page.getByText('Say what must change.').waitFor();
    await form.getByLabel('Comment').fill('Name the migration.');
    await form.getByRole('button', { name: 'Request changes' }).click();
    await skipUndoWindow(page);
    await page.getByText('ada asked for changes.').first().waitFor();
    await maker.completeDraft({ notes: 'Fixes the printer. Runs a migration.' });

    // then
    await button(page, 'Show round 2').click();
    await page.getByRole('heading', { name: 'Since round 1' }).waitFor();
    const row = page.getByRole('row', { name: /\/notes/ });
    expect(await row.innerText())
      .to.contain('Fixes the printer.')
      .and.to.contain('Runs a migration.');
    await page.getByText('Name the migration.').waitFor();
    await window.close();
  });

  it('should show the progress of a quorum and the missing voters', async () => {
    // given
    const approval = await maker.createApproval('quorum');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByText('2 approvals are missing from ada, bea, cem.').first().waitFor();

    // when
    await button(page, 'Approve').click();
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);

    // then
    await page.getByText('You have already voted').waitFor();
    await page.getByText('ada approved. One approval is missing from bea, cem.').first().waitFor();
    await page.getByRole('row', { name: /Approve by two.*1 of 2 approvals/ }).waitFor();
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    await page.getByText('Approved by bea.').first().waitFor();
    await window.close();
  });

  it('should propose edited arguments of a call, and execute the call with them', async () => {
    // given
    const approval = await maker.createApproval('agent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await page.getByText('Call note on notes.example.org with text: "hello". This can’t be undone.').first().waitFor();

    // when
    await openEditor(page);
    await noteField(page).fill('Polite');
    await button(page, 'Edit as JSON').click();
    const json = page.getByRole('textbox', { name: 'New arguments' });
    expect(JSON.parse(await json.inputValue())).to.deep.equal({ text: 'Polite' });
    await json.fill('{"text": ');
    await button(page, 'Edit as a form').click();
    await page.getByText('This must be valid JSON before it can be shown as a form.').waitFor();
    await json.fill('{"text": "Politely."}');
    await button(page, 'Edit as a form').click();
    expect(await noteField(page).inputValue()).to.equal('Politely.');
    await noteField(page).press('Enter');

    // then
    const dialog = page.getByRole('dialog', { name: /propose these/i });
    await dialog.getByText('Call note with text: "Politely.". This can’t be undone.').waitFor();
    const changedRow = dialog.getByRole('region', { name: 'What you change' }).getByRole('row', { name: '/text' });
    expect([await changedRow.locator('del').innerText(), await changedRow.locator('ins').innerText()]).to.deep.equal([
      'hello',
      'Politely.',
    ]);
    expect((await getCurrentApproval(approval)).votes).to.deep.equal([]);

    // when
    await button(page, 'Yes, propose them').click();
    await skipUndoWindow(page);

    // then
    await button(page, 'Show round 2').click();
    await page.getByText('Another person must decide').first().waitFor();
    await maker.approveEditedCall(approval.runId);
    await page.getByText('Approved by zoe.').first().waitFor();
    for await (const event of maker.vera.streamRunEvents({ runId: approval.runId })) void event;
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
      { text: 'Politely.' },
    ]);
    await window.close();
  });

  it('should refuse edited arguments that are unchanged or invalid for the tool', async () => {
    const approval = await maker.createApproval('agent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await openEditor(page);
    await button(page, 'Propose these arguments').click();
    await page.getByText('These are the arguments that the agent proposed.').waitFor();
    await noteField(page).fill('');
    await button(page, 'Propose these arguments').click();
    await page.getByRole('alert').filter({ hasText: '1 problem to correct' }).waitFor();
    await expectCount(page.getByRole('dialog'), 0);
    await window.close();
  });

  it('should return the edited arguments to the form if the server refuses them', async () => {
    const approval = await maker.createApproval('agent');
    const window = await open(`/approvals/${approval.approvalId}`);
    const { page } = window;
    await openEditor(page);
    await button(page, 'Edit as JSON').click();
    const json = page.getByRole('textbox', { name: 'New arguments' });
    await json.fill('{"text": "Politely.", "more": 1}');
    await page.keyboard.press('Control+Enter');
    await button(page, 'Yes, propose them').click();
    await skipUndoWindow(page);
    await page.getByRole('alert').filter({ hasText: 'was not counted' }).waitFor();
    await button(page, 'Review').click();
    await button(page, 'Edit as JSON').click();
    expect(JSON.parse(await json.inputValue())).to.deep.equal({ text: 'Politely.', more: 1 });
    expect((await getCurrentApproval(approval)).status).to.equal('pending');
    await window.close();
  });

  it('should not offer a vote to the initiator of the run or to a viewer', async () => {
    // given
    const ownApproval = await maker.createApproval('simple', {}, await countersign.client('approver', 'ada'));
    const ownApprovalWindow = await open(`/approvals/${ownApproval.approvalId}`);
    await ownApprovalWindow.page.getByText('Another person must decide: you started this run').waitFor();
    await expectCount(button(ownApprovalWindow.page, 'Approve'), 0);
    await ownApprovalWindow.page.keyboard.press('a');
    await expectCount(ownApprovalWindow.page.getByRole('form'), 0);
    await ownApprovalWindow.close();

    // when
    const rejectedApproval = await maker.createApproval('simple');
    await (
      await countersign.client('approver', 'bea')
    ).decideApproval({ approvalId: rejectedApproval.approvalId, body: { decision: 'reject' } });
    const viewerWindow = await open('/approvals', 'viewer', 'vic');
    const { page } = viewerWindow;
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .click();

    // then
    await page.getByText('Your role can’t decide approvals.').waitFor();
    for (const name of ['Approve', 'Reject', 'Request changes', 'More actions'])
      await expectCount(button(page, name), 0, name);
    const response = await fetch(`${countersign.url}/api/approvals/${ownApproval.approvalId}/decision`, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${await countersign.token('viewer', { subject: 'vic' })}`,
        'content-type': 'application/json',
      },
      body: '{"decision":"approve"}',
    });
    expect(response.status).to.equal(403);
    await page.getByLabel('Status').selectOption('Rejected');
    await page
      .getByRole('row', { name: /Approve the release.*Rejected/ })
      .first()
      .waitFor();
    await viewerWindow.close();
  });
});
