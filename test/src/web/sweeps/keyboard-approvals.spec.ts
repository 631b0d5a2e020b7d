import type { Approval } from '@countersign/contract';
import { createTestHost, currentTime, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { agentModel, ScriptedAgents } from '../../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker, WRITER_AGENT } from '../approvals.spec.support.js';
import { Keyboard } from '../keyboard.spec.support.js';
import { extendUndoWindow, restoreUndoWindow } from '../undo-window.spec.support.js';
import { hasBrowser, launchBrowser, openWindow, type Window } from '../web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: approvals and questions by keyboard only', function () {
  this.timeout(60_000);
  const agents = new ScriptedAgents({
    ...WRITER_AGENT,
    asker: (turn) =>
      turn === 1
        ? { calls: [{ tool: 'human.ask', question: { text: 'Left or right?', options: ['left', 'right'] } }] }
        : { output: {} },
  });
  let countersign: TestHost;
  let browser: Browser;
  let maker: ApprovalMaker;
  let window: Window;
  let page: Page;
  let keys: Keyboard;

  before(async () => {
    [countersign, browser] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      launchBrowser(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'quorum', 'agent', 'evidence');
    await countersign.deploy(agentModel('asker', 'asker'));
    await signInApprovers(countersign, 'dora', 'zoe');
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
  });

  afterEach(() => window.close());

  async function open(path: string, role: 'operator' | 'approver' | 'admin' = 'approver'): Promise<void> {
    window = await openWindow(browser, {
      url: countersign.url,
      token: await countersign.token(role, { subject: 'ada' }),
    });
    ({ page } = window);
    keys = new Keyboard(page);
    await page.clock.install();
    await page.goto(`${countersign.url}${path}`);
  }

  const skipUndoWindow = (): Promise<void> => page.clock.fastForward(5_000);
  const getCurrentApproval = ({ approvalId }: Approval): Promise<Approval> => maker.vera.getApproval({ approvalId });
  const row = (name: RegExp) => page.getByRole('row', { name });
  const form = (name: string) => page.getByRole('form', { name });

  /** Waits until the key has shown another approval: an earlier key press would affect the previous one. */
  async function pressAndWaitForNavigation(key: string): Promise<void> {
    const before = page.url();
    await keys.press(key);
    await page.waitForURL((url) => url.href !== before);
  }

  it('should vote in three ways from the inbox, and undo a vote', async () => {
    // given
    const approvals = [
      await maker.createApproval('simple'),
      await maker.createApproval('simple'),
      await maker.createApproval('simple'),
    ];
    await open('/approvals');
    await row(/Approve the release/)
      .nth(2)
      .waitFor();
    const getShownApproval = () => approvals.find(({ approvalId }) => page.url().includes(approvalId)) as Approval;
    const list = page.getByRole('grid', { name: 'Approval requests' });

    // when: the user opens an approval with Tab and with shortcuts
    await keys.tabTo('row', /Approve the release/);
    for (const key of ['j', 'j', 'k']) await pressAndWaitForNavigation(key);
    await keys.expectFocusWithin(list);
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    await keys.press('r');
    await keys.expectFocus(form('Reject').getByRole('textbox', { name: /^Comment/ }));

    // then: the rejection is cancelled
    await keys.press('Escape');
    await form('Reject').waitFor({ state: 'detached' });
    await keys.expectFocusKept();

    // when: the user rejects, undoes the vote, rejects again, and the undo window ends
    const first = getShownApproval();
    await keys.activate('button', 'Reject');
    await keys.expectFocus(form('Reject').getByRole('textbox', { name: /^Comment/ }));
    await keys.type('Not this week.');
    await extendUndoWindow(page);
    await keys.press('Control+Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await keys.expectFocusWithin(list);
    await keys.activate('button', 'Undo');
    await keys.expectFocusWithin(form('Reject'));
    await restoreUndoWindow(page);
    expect(await form('Reject').getByRole('textbox').inputValue()).to.equal('Not this week.');
    await keys.activate('button', 'Reject', { exact: true });
    await keys.expectFocusWithin(list);
    await skipUndoWindow();
    await page.getByText('Rejected by ada.').first().waitFor();
    await keys.expectFocusWithin(list);
    expect((await getCurrentApproval(first)).votes[0]).to.include({ decision: 'reject', comment: 'Not this week.' });

    // when: the user requests changes
    await keys.press('j');
    await page.waitForURL((url) => !url.pathname.includes(first.approvalId));
    const second = getShownApproval();
    await page.getByRole('button', { name: 'Request changes' }).waitFor();
    await keys.press('c');
    await keys.expectFocus(form('Request changes').getByRole('textbox', { name: /^Comment/ }));
    await keys.type('Name the migration.');
    await keys.activate('button', 'Request changes');
    await skipUndoWindow();
    await page.getByText('ada asked for changes.').first().waitFor();
    await keys.expectFocusKept();
    expect(await getCurrentApproval(second)).to.include({ status: 'changes_requested' });
    await maker.completeDraft();

    // when: the user finds the last approval by searching
    const third = approvals.find((each) => each !== first && each !== second) as Approval;
    await keys.press('/');
    await keys.expectFocus(page.getByRole('searchbox', { name: 'Search approvals' }));
    await keys.press('Enter');
    await keys.expectFocusWithin(list);
    for (let keyPresses = 0; keyPresses < 4 && !page.url().includes(third.approvalId); keyPresses += 1)
      await pressAndWaitForNavigation('j');
    await page.waitForURL((url) => url.pathname.includes(third.approvalId));
    await keys.press('Enter');
    await keys.expectFocus(page.getByRole('heading', { level: 2, name: 'Approve the release' }));
    await keys.press('a');
    await keys.expectFocus(form('Approve').getByRole('textbox', { name: /^Comment/ }));
    await keys.press('Control+Enter');
    await skipUndoWindow();
    await page.getByText('Approved by ada.').first().waitFor();
    await keys.expectFocusKept();
    expect(await getCurrentApproval(third)).to.include({ status: 'approved' });
  });

  it('should propose edited arguments of a call after a confirmation', async () => {
    // given
    const approval = await maker.createApproval('agent');
    await open(`/approvals/${approval.approvalId}`);
    await page
      .getByText(/Call note .*with text:/)
      .first()
      .waitFor();

    // when
    await keys.activate('button', 'More actions');
    await keys.expectFocus(page.getByRole('menuitem', { name: 'Edit arguments' }));
    await keys.press('Enter');
    await keys.expectFocusWithin(page.getByRole('heading', { level: 3, name: 'Edit arguments' }));
    await keys.fill('textbox', 'Text of the note', 'Politely.');
    await keys.activate('button', 'Propose these arguments');
    const confirmDialog = page.getByRole('dialog');
    await keys.expectFocusWithin(confirmDialog);
    await keys.press('Escape');
    await confirmDialog.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'Propose these arguments' }));
    await keys.press('Enter');
    await keys.activate('button', 'Yes, propose them', { within: confirmDialog });
    await confirmDialog.waitFor({ state: 'detached' });
    await keys.expectFocusKept();
    await skipUndoWindow();

    // then
    await keys.activate('button', 'Show round 2');
    await maker.approveEditedCall(approval.runId);
    await page.getByText('Approved by zoe.').first().waitFor();
    await keys.expectFocusKept();
    for await (const event of maker.vera.streamRunEvents({ runId: approval.runId })) void event;
    expect(agents.executedCalls.map(({ arguments: toolArguments }) => toolArguments)).to.deep.equal([
      { text: 'Politely.' },
    ]);
  });

  it('should delegate an approval, and approve several approvals together', async () => {
    // given
    const approval = await maker.createApproval('quorum');
    await open(`/approvals/${approval.approvalId}`);
    await page.getByRole('heading', { level: 2, name: 'Approve by two' }).waitFor();

    // when
    await keys.activate('button', 'More actions');
    await keys.expectFocus(page.getByRole('menuitem', { name: 'Delegate' }));
    await keys.press('Enter');
    const dialog = page.getByRole('dialog');
    await keys.expectFocus(dialog.getByRole('combobox').first());
    await keys.type('zo');
    await page.locator('[data-combobox-selected]', { hasText: 'zoe' }).waitFor();
    await keys.press('Enter');
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    // then
    await page.getByText('ada delegated this approval to zoe').first().waitFor();
    await keys.expectFocusKept();

    // when
    const bulkApprovals = [await maker.createApproval('simple'), await maker.createApproval('simple')];
    await row(/Approve the release/)
      .nth(1)
      .waitFor();
    await keys.tabTo('row', /Approve/, { isBackward: true });
    await keys.press('Home');
    await page.locator('[role="row"][aria-rowindex="2"][aria-current="true"]').waitFor();
    for (let keyPresses = 0; keyPresses < 8; keyPresses += 1) {
      const before = page.url();
      // The first row may already be one of these approvals.
      if (keyPresses > 0) {
        await keys.press('j');
        await page.waitForURL(({ href }) => href !== before);
      }
      await keys.expectFocusWithin(page.getByRole('grid', { name: 'Approval requests' }));
      const chosen = bulkApprovals.find(({ approvalId }) => page.url().includes(approvalId));
      if (chosen === undefined) continue;
      await page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
      await page.getByRole('button', { name: 'Reject', exact: true }).waitFor();
      await keys.press('x');
      if (await page.getByRole('button', { name: 'Approve 2' }).isVisible()) break;
    }
    await keys.activate('button', 'Approve 2');
    const bulkDialog = page.getByRole('dialog', { name: 'Approve 2 requests together?' });
    await keys.expectFocus(bulkDialog.getByRole('button', { name: 'Go back' }));
    await keys.activate('button', 'Approve 2', { within: bulkDialog });
    await bulkDialog.getByRole('button', { name: 'Undo' }).waitFor();
    await keys.expectFocusWithin(bulkDialog);
    await skipUndoWindow();
    const results = page.getByRole('dialog', { name: 'Results' });
    await results.getByText('Approved').nth(1).waitFor();
    await keys.expectFocusWithin(results);
    await keys.press('Escape');
    await results.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(page.getByRole('main'));
    for (const each of bulkApprovals)
      expect(await getCurrentApproval(each)).to.include({ status: 'approved', resolvedBy: 'ada' });
  });

  it('should open evidence, and answer a question from the list of questions', async () => {
    // given
    const approval = await maker.createRiskyApproval();
    await open(`/approvals/${approval.approvalId}`);
    await page.getByRole('heading', { level: 2, name: 'Approve the risky release' }).waitFor();

    // when
    await keys.press('e');
    await page.getByRole('region', { name: /^notes\.md/ }).waitFor();
    await page.getByText('Opened', { exact: true }).waitFor();
    await keys.press('a');
    await keys.press('Control+Enter');
    const confirmation = page.getByRole('dialog', { name: 'High risk: approve this request?' });
    await keys.expectFocusWithin(confirmation);
    await keys.press('Escape');
    await confirmation.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(form('Approve'));
    await keys.activate('button', 'Go back');
    await keys.expectFocusKept();

    // given
    await window.close();
    const { runId } = await maker.vera.startRun({ body: { workflowId: 'asker' } });
    await open('/approvals', 'operator');

    // when
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await keys.press('g', 'q');
    await keys.tabTo('row', /Left or right/);
    await keys.press('Enter');
    await keys.tabTo('radio', 'left');
    await keys.press('ArrowDown');
    await keys.press('Space');
    await keys.activate('button', 'Send answer');

    // then
    await page.getByText('Answered by ada').waitFor();
    await keys.expectFocusKept();
    for await (const event of maker.vera.streamRunEvents({ runId }))
      if (event.type === 'question.answered') expect(event.data['answer']).to.equal('right');
  });

  it('should reassign an approval', async () => {
    // given
    const approval = await maker.createApproval('quorum');
    await open(`/approvals/${approval.approvalId}`, 'admin');
    await page.getByRole('heading', { level: 2, name: 'Approve by two' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Reassign this approval' });
    const openReassignDialog = async (): Promise<void> => {
      await keys.activate('button', 'More actions');
      await keys.expectFocusWithin(page.getByRole('menu'));
      await keys.press('End');
      await keys.expectFocus(page.getByRole('menuitem', { name: 'Reassign' }));
      await keys.press('Enter');
      await keys.expectFocus(dialog.getByRole('combobox', { name: 'Users' }));
    };

    // when: the user cancels
    await openReassignDialog();
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await keys.expectFocus(page.getByRole('button', { name: 'More actions' }));

    // when
    await openReassignDialog();
    await keys.type('eve, fay');
    await keys.fill('textbox', 'Comment', 'They are away.', { within: dialog });
    await keys.activate('button', 'Reassign', { within: dialog });
    await keys.activate('button', 'Use anyway', { within: dialog });
    await dialog.waitFor({ state: 'detached' });

    // then
    await keys.expectFocusWithin(page.getByRole('main'));
    expect(await getCurrentApproval(approval)).to.deep.include({ candidateUsers: ['eve', 'fay'] });
  });

  it('should set an absence with a substitute, and end the absence', async () => {
    // given
    await open('/approvals');
    const banner = page.getByRole('region', { name: 'Out of office' });
    const dialog = page.getByRole('dialog', { name: 'Out of office' });
    const userMenuButton = page.getByRole('button', { name: 'ada · Approver' });
    const openUserMenu = async (): Promise<void> => {
      await keys.activate('button', 'ada · Approver', { isBackward: true });
      await keys.expectFocusWithin(page.getByRole('menu'));
      await keys.press('End', 'ArrowUp');
      for (let keyPresses = 0; keyPresses < 8 && !(await isFocused('Out of office')); keyPresses += 1)
        await keys.press('ArrowUp');
      await keys.press('Enter');
      await keys.expectFocusWithin(dialog);
    };
    const isFocused = (name: string) =>
      page.getByRole('menuitem', { name }).evaluate((element) => element === document.activeElement);

    // when: the user cancels
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await openUserMenu();
    await keys.expectFocus(dialog.getByLabel('Away until'));
    await keys.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await keys.expectFocus(userMenuButton);

    // when: arrow keys set each part of the date, in the browser's order of fields, at most a year ahead
    const keysPerPart = new Date(currentTime()).getMonth() < 3 ? ['ArrowDown'] : ['ArrowUp', 'ArrowUp'];
    await openUserMenu();
    await keys.expectFocus(dialog.getByLabel('Away until'));
    for (let part = 0; part < 6; part += 1) await keys.press(...keysPerPart, 'ArrowRight');
    await keys.fill('combobox', 'Substitute', 'dora', { within: dialog });
    await keys.press('Enter');
    await dialog.waitFor({ state: 'detached' });

    // then
    await banner.getByText('dora decides for you.').waitFor();
    await keys.expectFocus(userMenuButton);

    // when
    await keys.activate('button', 'End now');
    await banner.waitFor({ state: 'detached' });
    await keys.expectFocusWithin(page.getByRole('main'));
  });
});
