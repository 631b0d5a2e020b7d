import { ENGINE_CAPABILITY_NAMES } from '@countersign/model';
import { createTestHost, type TestHost } from '@countersign/testing';
import { createLimitedEngine } from '../engines/limited-engine.spec.support.js';
import { agentModel, ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { expectAccessible, expectCount } from '../web/web.spec.support.js';
import { deleteUserData, hasElectron, Screen, signIn, startDesktop, type Desktop } from './desktop.spec.support.js';

(hasElectron() ? describe : describe.skip)('desktop: an engine that cannot do everything', () => {
  const agents = new ScriptedAgents({
    // The data is tainted, so the write of the agent requires an approval.
    writer: (turn) =>
      turn === 1
        ? { text: 'I write.', taint: ['webhook'], calls: [{ tool: 'note', arguments: { text: 'hello' } }] }
        : { output: {} },
  });
  let countersign: TestHost;
  let screen: Screen;
  let desktop: Desktop;

  before(async () => {
    [countersign, screen] = await Promise.all([
      createTestHost({ plugins: [agents.plugin()], engine: { plugin: createLimitedEngine(ENGINE_CAPABILITY_NAMES) } }),
      Screen.start(),
    ]);
    await countersign.deploy(agentModel('write', 'writer'));
    desktop = await startDesktop({ screen });
    await signIn(desktop, countersign, 'approver', 'ada');
  });

  after(async () => {
    await desktop?.close();
    if (desktop !== undefined) deleteUserData(desktop.userData);
    await screen?.stop();
    await countersign?.close();
  });

  it('should explain in the approval of a tool call why it cannot be edited or delegated', async () => {
    // given
    const { page } = desktop;
    const viewer = await countersign.client('viewer', 'vera');

    // when
    await viewer.startRun({ body: { workflowId: 'write' } });
    await page.getByRole('row', { name: /note/ }).click();

    // then
    await page
      .getByText('The engine of this server (limited) can’t change the arguments of a tool call or delegate approvals.')
      .waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /Snooze/ }).waitFor();
    await expectCount(page.getByRole('menuitem', { name: /Delegate|Edit/ }), 0);
    await expectAccessible(page);
  });
});
