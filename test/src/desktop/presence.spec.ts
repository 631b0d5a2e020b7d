import type { Client } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { askQuestion } from '../web/questions.spec.support.js';
import { hasSessionBus, SessionDesktop } from './dbus/session-desktop.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';
import { approveAll, closeToTray, isVisible, simulateSleep, waitForTooltip } from './presence.spec.support.js';
import { expectCount } from '../web/web.spec.support.js';

(hasElectron() && hasSessionBus() ? describe : describe.skip)('desktop: notifications and tray', () => {
  const agents = new ScriptedAgents({
    asker: (turn) =>
      turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'Is <b>10</b> enough?' } }] } : { output: {} },
  });
  let countersign: TestHost;
  let maker: ApprovalMaker;
  let bea: Client;
  let screen: Screen;
  let system: SessionDesktop;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen, system] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      Screen.start(),
      SessionDesktop.start(),
    ]);
    maker = await ApprovalMaker.deployTo(countersign, 'simple', 'evidence', 'hostile');
    await countersign.deploy(agentModel('asker', 'asker'));
    bea = await countersign.client('approver', 'bea');
    desktop = await startDesktop({ screen, env: system.env });
    await signIn(desktop, countersign, 'approver', 'ada');
    await desktop.page.locator('[data-live="live"]').waitFor();
    await desktop.app.evaluate(({ Notification }) => {
      const createdNotifications: unknown[] = [];
      (globalThis as { notifications?: unknown[] }).notifications = createdNotifications;
      const { prototype } = Notification as unknown as {
        prototype: { on(this: unknown, event: string, listener: () => void): unknown };
      };
      const { on } = prototype;
      prototype.on = function (event, listener) {
        if (event === 'reply') createdNotifications.push(this);
        return on.call(this, event, listener);
      };
    });
    await closeToTray(desktop, system);
    await system.waitForNotification('Countersign stays in the tray');
    // The open approvals are loaded: later approvals are new.
    await waitForTooltip(system, 'Nothing is waiting for you');
  });

  afterEach(async () => {
    await approveAll(bea);
    await waitForTooltip(system, 'Nothing is waiting for you');
    await closeToTray(desktop, system);
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await system?.stop();
    await countersign?.close();
  });

  const expectPending = async (approvalId: string): Promise<void> => {
    expect(await maker.vera.getApproval({ approvalId })).to.deep.include({ status: 'pending', votes: [] });
  };

  /** Sends a reply in a notification. Linux has none, so the test emits the Electron event of the other systems. */
  const replyToNotification = async (title: string, text: string): Promise<void> =>
    desktop.app.evaluate(
      (_electron, [expectedTitle, replyText]) => {
        const { notifications } = globalThis as unknown as {
          notifications: { title: string; emit(event: string, details: object, text: string): void }[];
        };
        notifications
          .filter((each) => each.title === expectedTitle)
          .at(-1)
          ?.emit('reply', {}, replyText ?? '');
      },
      [title, text],
    );

  it('should show a notification and the count for a new approval, and open it on click without voting', async () => {
    // given
    const emptyIcon = await system.getIcon();
    // when
    const approval = await maker.createApproval('simple');
    const notification = await system.waitForNotification('Approve the release');
    // then
    expect(notification.body).to.equal('Low risk. version: 1.4.0 · notes: Fixes the printer. Requested by vera.');
    await waitForTooltip(system, '1 approval is waiting for you');
    expect(await system.getIcon()).not.to.deep.equal(emptyIcon);
    system.click(notification);
    await desktop.page.getByRole('heading', { level: 2, name: 'Approve the release' }).waitFor();
    expect(await isVisible(desktop)).to.equal(true);
    await expectPending(approval.approvalId);
  });

  it('should withdraw the notification when another person decides the approval', async () => {
    const approval = await maker.createApproval('simple');
    const { id } = await system.waitForNotification('Approve the release');
    await bea.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
    await system.waitFor(() => (system.notifications.has(id) ? undefined : true), 'the end of the notification');
    await waitForTooltip(system, 'Nothing is waiting for you');
  });

  it('should withdraw the notification when the run is cancelled', async () => {
    const approval = await maker.createApproval('simple');
    const { id } = await system.waitForNotification('Approve the release');
    const operator = await countersign.client('operator', 'otto');
    await operator.cancelRun({ runId: approval.runId, body: { reason: 'Not needed.' } });
    await system.waitFor(() => (system.notifications.has(id) ? undefined : true), 'the end of the notification');
  });

  it('should show one summary for many approvals, with the highest risk first', async () => {
    await maker.createRiskyApproval();
    for (let n = 0; n < 3; n += 1) await maker.createApproval('simple');
    const { body } = await system.waitForNotification('4 approvals are waiting for you');
    expect(body).to.equal('First: Approve the risky release (high risk)');
    expect([...system.notifications.values()].filter(({ title }) => title.includes('Approve'))).to.deep.equal([]);
  });

  it('should list the approvals with the highest risk in the tray menu, and open one without voting', async () => {
    await maker.createApproval('simple');
    const risky = await maker.createRiskyApproval();
    await waitForTooltip(system, '2 approvals are waiting for you');
    const labels = (await system.getMenu()).map(({ label }) => label);
    expect(labels.slice(0, 5)).to.deep.equal([
      'Open Countersign',
      '',
      '2 approvals are waiting for you',
      'Approve the risky release (high risk)',
      'Approve the release',
    ]);
    await system.chooseMenuItem('Approve the risky release (high risk)');
    await desktop.page.getByRole('heading', { level: 2, name: 'Approve the risky release' }).waitFor();
    await expectPending(risky.approvalId);
  });

  it('should notify of a question, open it on click, and withdraw the notification when another person answers', async () => {
    // given
    const question = await askQuestion(maker.vera, 'asker');
    // when
    const notification = await system.waitForNotification('Is ‹b›10‹/b› enough?');
    // then
    expect(notification.body).to.equal('Question from the agent asker, in the workflow asker.');
    await waitForTooltip(system, '1 question is waiting for you');
    // when
    system.click(notification);
    // then
    await desktop.page.getByRole('article', { name: 'Question from asker' }).waitFor();
    await desktop.page.getByRole('textbox', { name: 'Your answer' }).waitFor();
    expect((await maker.vera.getQuestion(question)).status).to.equal('pending');
    // given
    await closeToTray(desktop, system);
    const { runId, questionId } = await askQuestion(maker.vera, 'asker');
    const { id } = await system.waitForNotification('Is ‹b›10‹/b› enough?');
    await waitForTooltip(system, '2 questions are waiting for you');
    // when
    await bea.answerQuestion({ runId, questionId, body: { answer: 'Yes.' } });
    // then
    await system.waitFor(() => (system.notifications.has(id) ? undefined : true), 'the end of the notification');
    await waitForTooltip(system, '1 question is waiting for you');
    // when: a run with a question ends
    const operator = await countersign.client('operator', 'otto');
    await operator.cancelRun({ runId: question.runId, body: { reason: 'Not needed.' } });
    // then
    await waitForTooltip(system, 'Nothing is waiting for you');
  });

  it('should list questions in the tray menu in the order of the inbox, and open one', async () => {
    // given
    await maker.createApproval('simple');
    const question = await askQuestion(maker.vera, 'asker');
    await maker.createRiskyApproval();
    await waitForTooltip(system, '2 approvals and 1 question are waiting for you');
    // when
    const labels = (await system.getMenu()).map(({ label }) => label);
    // then
    expect(labels.slice(3, 6)).to.deep.equal([
      'Approve the risky release (high risk)',
      'Is ‹b›10‹/b› enough? (question)',
      'Approve the release',
    ]);
    // when
    await system.chooseMenuItem('Is ‹b›10‹/b› enough? (question)');
    // then
    await desktop.page.getByRole('article', { name: 'Question from asker' }).waitFor();
    expect(await isVisible(desktop)).to.equal(true);
    await bea.answerQuestion({ ...question, body: { answer: 'Yes.' } });
  });

  it('should show markup in titles as text', async () => {
    await maker.createApproval('hostile');
    await system.waitForNotification('‹img src=x onerror=alert(1)›');
  });

  it('should show no notifications while they are muted, and show the new ones once they are unmuted', async () => {
    // given
    await system.chooseMenuItem('For an hour');
    const before = system.shown.length;
    await maker.createApproval('simple');
    await maker.createApproval('simple');
    await waitForTooltip(system, '2 approvals are waiting for you');
    expect(system.shown).to.have.length(before);
    expect((await system.getMenu()).some(({ label }) => label.startsWith('Notifications are muted until'))).to.equal(
      true,
    );
    // when
    await system.chooseMenuItem('Unmute notifications');
    // then
    await system.waitForNotification('Approve the release');
    expect(system.shown).to.have.length(before + 2);
  });

  it('should show no notifications while the inbox is visible', async () => {
    await system.activate();
    await desktop.page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    const before = system.shown.length;
    await maker.createApproval('simple');
    await waitForTooltip(system, '1 approval is waiting for you');
    await desktop.page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .waitFor();
    expect(system.shown).to.have.length(before);
  });

  it('should reject an approval with the reason entered in the notification, after the undo window', async () => {
    // given
    const approval = await maker.createApproval('simple');
    await system.waitForNotification('Approve the release');
    // when
    await replyToNotification('Approve the release', 'Not <b>now</b>.');
    const rejecting = await system.waitForNotification('Rejecting “Approve the release”');
    expect(rejecting.body).to.equal('Sending in 5 seconds: Not ‹b›now‹/b›.');
    await expectPending(approval.approvalId);
    await system.waitForNotification('Rejected: Approve the release');
    // then
    const { status, votes } = await maker.vera.getApproval({ approvalId: approval.approvalId });
    expect({ status, votes: votes.map(({ by, decision, comment }) => ({ by, decision, comment })) }).to.deep.equal({
      status: 'rejected',
      votes: [{ by: 'ada', decision: 'reject', comment: 'Not <b>now</b>.' }],
    });
  });

  it('should open the approval with the reason in the form, and send nothing, if the rejection is undone', async () => {
    const approval = await maker.createApproval('simple');
    await system.waitForNotification('Approve the release');
    await replyToNotification('Approve the release', 'Not yet.');
    system.click(await system.waitForNotification('Rejecting “Approve the release”'));
    const reason = desktop.page.getByRole('textbox', { name: /^Comment \(/ });
    await reason.waitFor();
    expect(await reason.inputValue()).to.equal('Not yet.');
    await expectPending(approval.approvalId);
    await desktop.page.keyboard.press('Escape');
  });

  it('should hide a snoozed approval and show it again with a notification at the end of the snooze', async () => {
    // given
    const { page } = desktop;
    const approval = await maker.createApproval('simple');
    system.click(await system.waitForNotification('Approve the release'));
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    // when
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: 'Snooze this approval' }).waitFor();
    await page.keyboard.press('Enter');
    // then
    await page.getByRole('row', { name: /^Snoozed 1/ }).waitFor();
    await page.getByText('Nothing is waiting for you.').waitFor();
    await page.getByRole('row', { name: /Approve the release.*Until (?:[A-Z][a-z]{2} )?\d\d:\d\d/ }).waitFor();
    await waitForTooltip(system, 'Nothing is waiting for you');
    await expectPending(approval.approvalId);
    // when: the snooze ends, even while the user looks at the inbox
    await simulateSleep(desktop, 61 * 60_000);
    // then
    await system.waitForNotification('Snoozed until now: Approve the release');
    await waitForTooltip(system, '1 approval is waiting for you');
    await page.getByRole('row', { name: /^Snoozed/ }).waitFor({ state: 'detached' });
    await expectCount(page.getByText('Nothing is waiting for you.'), 0);
  });

  it('should show a snoozed approval again when the person ends the snooze early', async () => {
    const { page } = desktop;
    await maker.createApproval('simple');
    system.click(await system.waitForNotification('Approve the release'));
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: /^Tomorrow morning/ }).click();
    await waitForTooltip(system, 'Nothing is waiting for you');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Snooze' }).click();
    await page.getByRole('button', { name: 'Unsnooze' }).click();
    await waitForTooltip(system, '1 approval is waiting for you');
  });
});
