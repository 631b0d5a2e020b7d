import { connectorNotifyPlugin } from '@countersign/connector-notify';
import type { Client, Question } from '@countersign/contract';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import {
  approvalModel,
  createTestHost,
  processModel,
  seconds,
  type TestHost,
  type TestHostOptions,
} from '@countersign/testing';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import {
  connectorTask,
  startService,
  waitUntilSettled,
  type Service,
} from '../../connectors/connectors.spec.support.js';
import { buildEvent, Ingress, buildSignedRequest } from '../../event-ingress/ingress.spec.support.js';
import { findFreePort } from '../../free-port.spec.support.js';
import { agentModel, ScriptedAgents } from '../../http/scripted-agents.spec.support.js';
import { waitForApproval } from '../../http/http.spec.support.js';
import { hasBrowser, launchBrowser, waitUntilLive, openWindow } from '../web.spec.support.js';

(hasBrowser() ? describe : describe.skip)('web: pages while the server restarts', function () {
  this.timeout(180_000);
  const questionScript = (text: string) => (turn: number) =>
    turn === 1 ? { calls: [{ tool: 'human.ask' as const, question: { text } }] } : { output: {} };
  const agents = new ScriptedAgents({
    early: questionScript('What is the budget?'),
    late: questionScript('What is the date?'),
  });
  /** Stays available, so that data can change while the other server restarts. */
  let ingress: Ingress;
  let persistentHost: TestHost;
  let service: Service;
  let browser: Browser;
  let admin: Client;
  let vera: Client;
  let options: TestHostOptions;

  before(async () => {
    service = await startService();
    service.respond = (_, response) => response.writeHead(410).end();
    const configuration = {
      Connectors: {
        AllowedNetworks: ['127.0.0.1'],
        Notify: {
          Endpoints: [
            { Id: 'desk', Url: `${service.url}/hook`, Secret: `whsec_${randomBytes(32).toString('base64')}` },
          ],
          RetryAfter: ['PT24H'],
        },
      },
    };
    options = { plugins: [agents.plugin(), outboundHttpPlugin, connectorNotifyPlugin], configuration };
    [ingress, browser] = await Promise.all([Ingress.create([], { ...options, jobTypes: ['work'] }), launchBrowser()]);
    persistentHost = ingress.server;
    [admin, vera] = await Promise.all([persistentHost.client('admin', 'ada'), persistentHost.client('viewer', 'vera')]);
    await persistentHost.deploy(approvalModel('simple'));
    for (const agent of ['early', 'late']) await persistentHost.deploy(agentModel(agent, agent));
    await persistentHost.deploy(
      processModel(
        'notify',
        `<bpmn:startEvent id="start" />${connectorTask('tell', 'notify-webhook', { endpoint: 'desk', type: 'org.example.released', data: '={}' })}<bpmn:endEvent id="end" />`,
        'start > tell',
        'tell > end',
      ),
    );
  });

  after(async () => {
    await browser?.close();
    await ingress?.close();
    await service?.close();
  });

  const startRun = async (workflowId: string, businessKey: string): Promise<string> =>
    (await vera.startRun({ body: { workflowId, businessKey } })).runId;
  async function createQuestion(workflowId: string): Promise<Question> {
    for await (const event of vera.streamRunEvents({ runId: await startRun(workflowId, workflowId) }))
      if (event.type === 'question.asked') return vera.getQuestion({ questionId: String(event.data['questionId']) });
    throw new Error('The run asked no question.');
  }
  async function createApproval(businessKey: string) {
    const runId = await startRun('simple', businessKey);
    await persistentHost.jobs.complete('work');
    return waitForApproval(vera, runId);
  }

  it('should show that pages are not live, update them after the restart, and keep unsaved input', async () => {
    // given
    const approval = await createApproval('early');
    const question = await createQuestion('early');
    const configuration = { ...options.configuration, Server: { Port: await findFreePort() } };
    const firstServer = await createTestHost({ ...options, configuration, shareDataWith: persistentHost });
    const window = await openWindow(browser, {
      url: firstServer.url,
      token: await firstServer.token('admin', { subject: 'ada' }),
    });
    const pages: Page[] = [];
    const open = async (path: string): Promise<Page> => {
      const page = pages.length === 0 ? window.page : await window.context.newPage();
      page.on('framenavigated', (frame) => frame === page.mainFrame() && loads.push(path));
      pages.push(page);
      await page.goto(`${firstServer.url}${path}`);
      await page.locator('[data-live="live"]').waitFor();
      return page;
    };
    const loads: string[] = [];

    const runs = await open('/runs');
    await runs.getByRole('row', { name: /early/ }).first().waitFor();
    const startRunPage = await open('/runs/new?workflowId=simple');
    await startRunPage.getByRole('textbox', { name: 'Inputs' }).fill('{"half": ');
    const approvals = await open(`/approvals/${approval.approvalId}`);
    await approvals.getByRole('button', { name: 'Reject' }).click();
    await approvals.getByRole('form').getByRole('textbox').fill('Not this we');
    const questions = await open(`/questions?question=${question.questionId}`);
    await questions.getByRole('textbox', { name: 'Answer' }).fill('A thou');
    const workflows = await open('/workflows');
    await workflows.getByRole('row', { name: /notify/ }).waitFor();
    const events = await open('/inbound-events');
    await events.getByRole('textbox', { name: 'Message' }).fill('ci.pas');
    const deliveries = await open('/deliveries');
    const policies = await open('/policies');
    const decisions = policies.getByRole('row', { name: /early/ });
    await decisions.first().waitFor();
    const decisionCountBefore = await decisions.count();
    const workflow = await open('/workflows/simple?view=versions');
    await workflow.getByRole('button', { name: 'Compare v1 with the version shown' }).waitFor({ state: 'detached' });
    const settings = await open('/settings');
    await settings.getByRole('button', { name: 'Edit Runs:StuckAfter', exact: true }).click();
    await settings.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill('PT9M');
    const loadsBefore = [...loads];

    // when: the server stops, and data changes during the outage
    await firstServer.close();
    for (const page of pages) await page.locator('[data-live="polling"]').getByText('Not live').waitFor();
    await createApproval('later');
    await createQuestion('late');
    await persistentHost.deploy(approvalModel('fresh'));
    await startRun('early', 'early-again');
    await persistentHost.deploy(approvalModel('simple').replace('Approve it', 'Approve it again'));
    await ingress.post(buildSignedRequest(buildEvent('meanwhile')));
    await waitUntilSettled(vera, await startRun('notify', 'told'));
    await admin.updateSettings({ body: { values: { 'Integrations:CodeHost:RejectReplayedBodies': true } } });
    const restartedServer = await createTestHost({
      ...options,
      configuration,
      shareDataWith: persistentHost,
    });

    // then
    for (const page of pages) await waitUntilLive(page);
    await runs.getByRole('row', { name: /later/ }).waitFor();
    await approvals.locator(`[role="row"]:has-text("Approve it")`).nth(1).waitFor();
    await questions.getByRole('row', { name: /What is the date/ }).waitFor();
    await workflows.getByRole('row', { name: /fresh/ }).waitFor();
    await events.getByRole('row', { name: /meanwhile/ }).waitFor();
    await deliveries.getByRole('row', { name: /desk/ }).waitFor();
    await decisions.nth(decisionCountBefore).waitFor();
    await workflow.getByRole('button', { name: 'Compare v1 with the version shown' }).waitFor();
    await settings
      .getByRole('switch', { name: 'Reject replayed bodies', checked: true, includeHidden: true })
      .waitFor();
    // and no input is lost, and no page was reloaded
    expect(await startRunPage.getByRole('textbox', { name: 'Inputs' }).inputValue()).to.equal('{"half": ');
    expect(await approvals.getByRole('form', { name: 'Reject' }).getByRole('textbox').inputValue()).to.equal(
      'Not this we',
    );
    expect(await questions.getByRole('textbox', { name: 'Answer' }).inputValue()).to.equal('A thou');
    expect(await events.getByRole('textbox', { name: 'Message' }).inputValue()).to.equal('ci.pas');
    expect(await settings.getByRole('dialog').getByRole('textbox', { name: 'Value' }).inputValue()).to.equal('PT9M');
    for (const page of pages) expect(await page.getByRole('alert').count(), page.url()).to.equal(0);
    expect(loads).to.deep.equal(loadsBefore);

    // when: the user continues
    await approvals.getByRole('form').getByRole('textbox').press('Control+Enter');
    await approvals
      .getByText('Rejected by ada.')
      .first()
      .waitFor({ timeout: seconds(15) });
    await questions.getByRole('textbox', { name: 'Answer' }).press('Control+Enter');
    await questions.getByText('Answered by ada').waitFor();
    await window.close();
    await restartedServer.close();
  });
});
