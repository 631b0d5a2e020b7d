import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval } from '@countersign/contract';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';
import { askQuestion } from '../web/questions.spec.support.js';
import { expectAccessible, expectCount, waitUntilLive } from '../web/web.spec.support.js';
import { findFreePort } from '../free-port.spec.support.js';
import { findButton, skipUndoWindow, openApproval } from './deciding.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: offline', function () {
  this.timeout(120_000);
  const agents = new ScriptedAgents({
    asker: (turn) =>
      turn === 1 ? { calls: [{ tool: 'human.ask', question: { text: 'What is the budget?' } }] } : { output: {} },
  });
  let persistentHost: TestHost;
  let maker: ApprovalMaker;
  let screen: Screen;
  let userData: string;
  let desktop: Desktop;
  let host: TestHost | undefined;

  before(async () => {
    [persistentHost, screen] = await Promise.all([
      createTestHost({ jobTypes: APPROVAL_JOBS, plugins: [agents.plugin()] }),
      Screen.start(),
    ]);
    maker = await ApprovalMaker.deployTo(persistentHost, 'simple', 'quorum');
    await persistentHost.deploy(agentModel('asker', 'asker'));
  });

  after(async () => {
    await screen?.stop();
    await persistentHost?.close();
  });

  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'countersign-desktop-'));
  });

  afterEach(async () => {
    await desktop?.close();
    await host?.close();
    host = undefined;
    deleteUserData(userData);
  });

  /**
   * Opens an approval, stops the server and restarts the application.
   *
   * @param row a row that is listed before the server stops
   */
  async function startOffline(
    row = /Approve the release/,
  ): Promise<{ readonly approval: Approval; readonly port: number }> {
    const port = await findFreePort();
    host = await createTestHost({ shareDataWith: persistentHost, configuration: { Server: { Port: port } } });
    const approval = await maker.createApproval('simple');
    desktop = await startDesktop({ screen, userData, keychain: true });
    await signIn(desktop, host, 'approver', 'ada');
    await openApproval(desktop, approval);
    await findButton(desktop.page, 'Approve').waitFor();
    await desktop.page.getByRole('row', { name: row }).first().waitFor();
    await desktop.close();
    await host.close();
    host = undefined;
    desktop = await startDesktop({ screen, userData, keychain: true });
    await desktop.page.getByText('Offline, as of').waitFor();
    return { approval, port };
  }

  it('should show cached approvals without allowing votes, and refresh when the server responds again', async () => {
    // given
    const { approval, port } = await startOffline();
    const { page } = desktop;
    // when
    await page
      .getByRole('row', { name: /Approve the release/ })
      .first()
      .click();
    await page.locator(`article[data-approval="${approval.approvalId}"]`).waitFor();
    // then
    await page.getByText('You are offline, and this may have changed.').waitFor();
    for (const name of ['Approve', 'Reject', 'Request changes', 'More actions'])
      await expectCount(findButton(page, name), 0, name);
    await page.keyboard.press('a');
    await expectCount(page.getByRole('form'), 0);
    await expectAccessible(page);
    // and code in the window cannot vote either
    const results = await page.evaluate(
      async ({ approvalId, round, digest }) => {
        const { call, vote } = (
          window as unknown as { countersign: Record<'call' | 'vote', (input: object) => Promise<unknown>> }
        ).countersign;
        return [
          await call({ operation: 'getApproval', input: { approvalId } }),
          await vote({ approvalId, round, subjectDigest: digest, decision: 'approve', idempotencyKey: 'offline-1' }),
          await call({ operation: 'delegateApproval', input: { approvalId, body: { to: 'eve' } } }),
        ];
      },
      { approvalId: approval.approvalId, round: approval.round, digest: approval.digest },
    );
    expect(results[0]).to.deep.include({ ok: true });
    for (const each of results.slice(1)) expect(each).to.deep.include({ ok: false, kind: 'refused', code: 'offline' });
    // when
    await maker.createApproval('quorum');
    host = await createTestHost({ shareDataWith: persistentHost, configuration: { Server: { Port: port } } });
    // then
    await waitUntilLive(page);
    await page.getByText('Offline, as of').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Approve by two/ }).waitFor();
    await page.clock.install();
    await findButton(page, 'Approve').click();
    await page.keyboard.press('Control+Enter');
    await skipUndoWindow(page);
    await page.getByText('Approved by ada.').first().waitFor();
  });

  it('should show listed questions, also those that were not opened, without allowing answers', async () => {
    await askQuestion(maker.vera, 'asker');
    await startOffline(/What is the budget/);
    const { page } = desktop;
    await page.getByRole('row', { name: /What is the budget/ }).click();
    await page.locator('.cs-question-text').getByText('What is the budget?').waitFor();
    await page.getByText('You are offline, and this may have changed.').waitFor();
    await expectCount(page.getByRole('textbox', { name: 'Your answer' }), 0);
  });

  it('should store the cache encrypted and delete it after a sign-out', async () => {
    await startOffline();
    const directory = join(userData, 'offline');
    const [file] = readdirSync(directory);
    expect(readFileSync(join(directory, file ?? ''), 'latin1')).not.to.contain('Approve');
    await findButton(desktop.page, 'ada · Approver').click();
    await desktop.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await desktop.page.getByRole('heading', { name: /is not responding/ }).waitFor();
    expect(existsSync(join(directory, file ?? ''))).to.equal(false);
  });
});
