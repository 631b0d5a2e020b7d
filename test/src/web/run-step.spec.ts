import type { Client, RunDetail } from '@countersign/contract';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { ScriptedAgents } from '../http/scripted-agents.spec.support.js';
import { addDiagram } from './draw-model.spec.support.js';
import { escapeXml } from './drawn-model.spec.support.js';
import { POLICIES_DIRECTORY } from './hostile-sources.spec.support.js';
import {
  expectAccessible,
  expectCount,
  hasBrowser,
  launchBrowser,
  openWindow,
  type Window,
} from './web.spec.support.js';

const RISK_FACTORS = [
  { code: 'money', description: 'It moves money', weight: 3 },
  { code: 'person', description: 'It touches a person', weight: 6 },
];
/** An agent step with risk factors that returns an amount, and a job with two attempts. */
const CHARGE_MODEL = addDiagram(
  processModel(
    'charge',
    `<bpmn:startEvent id="start" /><bpmn:serviceTask id="decide" name="Determine the amount"><bpmn:extensionElements><zeebe:taskDefinition type="agent" />` +
      `<zeebe:taskHeaders><zeebe:header key="agent" value="clerk" /><zeebe:header key="tools" value="note, look, human.ask" /></zeebe:taskHeaders>` +
      `<zeebe:properties><zeebe:property name="risk.factors" value="${escapeXml(JSON.stringify(RISK_FACTORS))}" /></zeebe:properties></bpmn:extensionElements></bpmn:serviceTask>` +
      `<bpmn:serviceTask id="work" name="Charge the card"><bpmn:extensionElements><zeebe:taskDefinition type="work" retries="2" /></bpmn:extensionElements></bpmn:serviceTask><bpmn:endEvent id="end" />`,
    'start > decide',
    'decide > work',
    'work > end',
  ),
);
/** The clerk may not call `look`, and its notes require an approval. */
const POLICIES_TEXT =
  '@id("no-look") forbid (principal == Agent::"clerk", action == Action::"call", resource == Tool::"look");\n' +
  '@id("ask-first") forbid (principal == Agent::"clerk", action == Action::"callUnattended", resource == Tool::"note");\n';

(hasBrowser() ? describe : describe.skip)('web: the details of a step', () => {
  const agents = new ScriptedAgents({ clerk: () => ({ output: { amount: 12, currency: 'EUR' } }) });
  let policies: string;
  let countersign: TestHost;
  let browser: Browser;
  let operator: Client;
  let window: Window;

  before(async () => {
    policies = await mkdtemp(join(tmpdir(), 'countersign-step-'));
    await cp(POLICIES_DIRECTORY, policies, { recursive: true });
    await writeFile(join(policies, 'clerk.cedar'), POLICIES_TEXT);
    [countersign, browser] = await Promise.all([
      createTestHost({
        jobTypes: ['work'],
        plugins: [agents.plugin()],
        configuration: { Policies: { Directory: policies } },
      }),
      launchBrowser(),
    ]);
    operator = await countersign.client('operator', 'otto');
    await countersign.deploy(CHARGE_MODEL);
  });

  after(async () => {
    await browser?.close();
    await countersign?.close();
    await rm(policies, { recursive: true, force: true });
  });

  afterEach(() => window.close());

  /** Creates a run whose agent has finished. */
  async function startRunWithFinishedAgent(): Promise<RunDetail> {
    const { runId } = await operator.startRun({ body: { workflowId: 'charge' } });
    return waitUntil('the job that charges the card is waiting', async () => {
      const run = await operator.getRun({ runId });
      return run.steps.some(({ elementId }) => elementId === 'work') && run;
    });
  }

  /** Opens a step by its element. */
  async function open({ runId, steps }: RunDetail, elementId: string, extraQuery = ''): Promise<Locator> {
    window = await openWindow(browser, { url: countersign.url, token: await countersign.token('viewer') });
    const step = steps.find((each) => each.elementId === elementId);
    await window.page.goto(`${countersign.url}/runs/${runId}?step=${step?.stepId}${extraQuery}`);
    const drawer = window.page.getByRole('dialog', { name: `Step ${step?.name}` });
    await drawer.getByRole('heading', { name: 'Policy' }).waitFor();
    return drawer;
  }

  const factValue = (drawer: Locator, term: string): Locator =>
    drawer
      .locator('.cs-facts > div')
      .filter({ has: window.page.getByRole('term').getByText(term, { exact: true }) })
      .getByRole('definition');

  it('should show the output, the policy decision with its risk factors, and the allowed tools of the agent', async () => {
    // given
    const run = await startRunWithFinishedAgent();
    await countersign.jobs.complete('work');

    // when
    const drawer = await open(run, 'decide');

    // then
    expect(await drawer.getByRole('tree', { name: 'Output' }).getByRole('treeitem').allTextContents()).to.deep.equal([
      '2 members',
      'amount: 12',
      'currency: "EUR"',
    ]);
    await drawer
      .getByText(
        'An agent performs this step, and with 2 risk factors declared for it, the weights add up to 39, so its risk is medium.',
      )
      .waitFor();
    await drawer.getByText('Medium risk', { exact: true }).waitFor();
    expect(
      await drawer.getByRole('list', { name: 'Risk factors' }).getByRole('listitem').allInnerTexts(),
    ).to.deep.equal([
      'An agent chooses its own actions in this step. agent\n\nweight 30',
      'It touches a person person\n\nweight 6',
      'It moves money money\n\nweight 3',
    ]);
    const tools = (term: string): Promise<string[]> => factValue(drawer, term).locator('code').allTextContents();
    expect([
      await tools('Allowed tools'),
      await tools('Denied tools'),
      await tools('Tools that need approval'),
      await tools('Decided by'),
    ]).to.deep.equal([['note', 'human.ask'], ['look'], ['note'], ['step.agent']]);
    await expectAccessible(window.page);
  });

  it('should warn at a past event that the agent activity also includes later turns', async () => {
    // given
    const run = await startRunWithFinishedAgent();
    await countersign.jobs.complete('work');
    const { items } = await operator.listRunEvents({ runId: run.runId, limit: 20 });
    const findSeq = (eventType: string): number =>
      items.find(({ type, elementId }) => type === eventType && elementId === 'decide')?.seq ?? 0;
    const laterActivityNote = 'This shows all activity up to now, including activity after the selected moment.';

    // when
    const drawer = await open(run, 'decide', `&at=${findSeq('step.started')}`);
    // then
    await drawer.getByText(laterActivityNote).waitFor();
    await drawer.getByText('No outputs.').waitFor();
    await expectAccessible(window.page);

    // when
    await window.page.goto(window.page.url().replace(/at=\d+/, `at=${findSeq('step.completed')}`));
    // then
    await drawer.getByRole('tree', { name: 'Output' }).waitFor();
    await expectCount(drawer.getByText(laterActivityNote), 0);
  });

  it('should show each failed attempt of a step, and whether the step is retried automatically', async () => {
    // given
    const run = await startRunWithFinishedAgent();
    const drawer = await open(run, 'work');
    const errorAlert = drawer.getByRole('alert').filter({ hasText: 'Error' });
    const attempts = drawer.getByRole('listitem').filter({ hasText: 'Attempt ' });
    await drawer.getByText('No outputs.').waitFor();

    // when
    (await countersign.jobs.take('work')).fail(new Error('The card was declined.'));
    // then
    await errorAlert.getByText('job_failed The card was declined.').waitFor();
    await errorAlert.getByText('It is retried automatically.').waitFor();
    await attempts.getByText('Attempt 1: job_failed The card was declined.').waitFor();
    expect(await factValue(drawer, 'Attempt').textContent()).to.equal('2');
    await expectAccessible(window.page);

    // when
    (await countersign.jobs.take('work')).fail(new Error('The bank is closed.'));
    // then
    await errorAlert.getByText('job_failed The bank is closed.').waitFor();
    await errorAlert.getByText('Recovering the run retries this step, which may succeed without a change.').waitFor();
    await window.page.getByText('“Charge the card” failed: The bank is closed.').waitFor();

    // when
    await operator.recoverRun({ runId: run.runId });
    await countersign.jobs.complete('work', { receipt: 'R-1' });
    // then
    await drawer.getByRole('tree', { name: 'Output' }).getByRole('treeitem', { name: 'receipt: "R-1"' }).waitFor();
    await errorAlert.waitFor({ state: 'detached' });
    await attempts.getByText('Attempt 1: job_failed The card was declined.').waitFor();
    await attempts.getByText('Attempt 2: job_failed The bank is closed.').waitFor();
    await expectCount(attempts, 2);
    await expectAccessible(window.page);
  });
});
