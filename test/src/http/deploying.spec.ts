import type { Client } from '@countersign/contract';
import { EnginePort, StoragePort, type RequestContext } from '@countersign/core';
import { createTestHost, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { TestClock } from '../conformance/test-clock.js';
import { expectProblem } from './http.spec.support.js';

const HOUR = 3_600_000;
const OUTSIDE_CONTEXT: RequestContext = {
  actor: { type: 'system', id: 'test', name: null },
  from: null,
  traceId: null,
};

/** Returns a file with a pool for each given process. */
function collaborationModel(...processes: readonly (readonly [id: string, start: string])[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="definitions" targetNamespace="urn:countersign:test">
<bpmn:message id="ordered" name="ordered" /><bpmn:signal id="alarm" name="alarm" />
<bpmn:collaboration id="collaboration">${processes.map(([id]) => `<bpmn:participant id="pool-${id}" processRef="${id}" />`).join('')}</bpmn:collaboration>
${processes.map(([id, start]) => `<bpmn:process id="${id}" isExecutable="true">${start}<bpmn:endEvent id="${id}-end" /><bpmn:sequenceFlow id="${id}-flow" sourceRef="${id}-start" targetRef="${id}-end" /></bpmn:process>`).join('\n')}
</bpmn:definitions>`;
}

const processWithStart = (id: string, definition = '') =>
  [id, `<bpmn:startEvent id="${id}-start">${definition}</bpmn:startEvent>`] as const;
const ORDER_MESSAGE_EVENT = '<bpmn:messageEventDefinition messageRef="ordered" />';
const ALARM_SIGNAL_EVENT = '<bpmn:signalEventDefinition signalRef="alarm" />';
const timerDefinition = (duration: string) =>
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition>`;

describe('API: deployment of files with several workflows', () => {
  let countersign: TestHost;
  let clock: TestClock;
  let admin: Client;
  let viewer: Client;
  let storage: StoragePort;

  beforeEach(async () => {
    clock = new TestClock();
    countersign = await createTestHost({ clock });
    storage = countersign.host.get(StoragePort);
    [admin, viewer] = await Promise.all([countersign.client('admin', 'root'), countersign.client('viewer', 'vera')]);
  });

  afterEach(() => countersign.close());

  /** Returns the status of a deployment and the deployed versions. */
  async function deploy(body: string): Promise<{ status: number; versions: Record<string, number> }> {
    const headers = {
      'authorization': `Bearer ${await countersign.token('admin')}`,
      'content-type': 'application/xml',
    };
    const response = await fetch(`${countersign.url}/api/workflows`, { method: 'POST', headers, body });
    const { workflowId, version, alsoDeployed } = (await response.json()) as Awaited<
      ReturnType<Client['deployWorkflow']>
    >;
    return {
      status: response.status,
      versions: Object.fromEntries(
        [{ workflowId, version }, ...alsoDeployed].map((each) => [each.workflowId, each.version]),
      ),
    };
  }

  const listRunVersions = async (workflowId: string) =>
    (await viewer.listRuns({ workflowId })).items.map(({ workflowVersion }) => workflowVersion);
  const countDeployments = async () =>
    (await admin.listAuditEvents({ limit: 200 })).items.filter(({ action }) => action === 'workflow.deploy').length;

  it('should deploy every workflow of the file so that each can be started', async () => {
    const file = collaborationModel(processWithStart('sales'), processWithStart('stock'), processWithStart('dispatch'));

    expect(await deploy(file)).to.deep.equal({ status: 201, versions: { sales: 1, stock: 1, dispatch: 1 } });

    for (const workflowId of ['sales', 'stock', 'dispatch']) {
      expect((await viewer.getWorkflow({ workflowId })).bpmnXml).to.equal(file);
      expect(await viewer.startRun({ body: { workflowId } })).to.include({ workflowId, workflowVersion: 1 });
    }
    expect(await deploy(collaborationModel(processWithStart('stock')))).to.deep.equal({
      status: 201,
      versions: { stock: 2 },
    });
    expect(await deploy(`${file}<!-- again -->`)).to.deep.equal({
      status: 201,
      versions: { sales: 2, stock: 3, dispatch: 2 },
    });
  });

  it('should create no version when the same file is deployed again', async () => {
    // given
    const file = collaborationModel(
      processWithStart('sales', timerDefinition('PT1H')),
      processWithStart('stock', ORDER_MESSAGE_EVENT),
    );
    await deploy(file);
    const [dueAt, count] = [await storage.nextStartTimerAt(), await countDeployments()];

    // when
    clock.setTo(clock.time + HOUR / 2);
    const repeated = await deploy(file);

    // then
    expect(repeated).to.deep.equal({ status: 200, versions: { sales: 1, stock: 1 } });
    expect(await countDeployments()).to.equal(count);
    expect(await storage.nextStartTimerAt(), 'the start timer keeps its due date').to.equal(dueAt);
    expect((await viewer.getWorkflow({ workflowId: 'stock' })).versions).to.have.length(1);
  });

  it('should store no workflow of the file when one cannot be executed', async () => {
    const refused = await expectProblem(
      admin.deployWorkflow({
        body: collaborationModel(
          processWithStart('sales', ORDER_MESSAGE_EVENT),
          processWithStart('stock', timerDefinition('soon')),
        ),
      }),
    );

    expect(refused).to.include({ status: 422, code: 'model_refused' });
    expect(refused.errors?.map(({ pointer }) => pointer).join()).to.contain('stock-start');
    expect(await expectProblem(viewer.getWorkflow({ workflowId: 'sales' }))).to.include({ code: 'workflow_not_found' });
    expect(await storage.findStartSubscriptions('message', 'ordered')).to.deep.equal([]);
  });

  it('should return the findings of the model check with each deployment and deploy the file anyway', async () => {
    // given: an exclusive split before a parallel join
    const flow = (from: string, to: string, condition = '') =>
      `<bpmn:sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${condition}</bpmn:sequenceFlow>`;
    const conditionXml =
      '<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">=large</bpmn:conditionExpression>';
    const nodes =
      '<bpmn:startEvent id="s" /><bpmn:exclusiveGateway id="either" default="either-b" /><bpmn:task id="a" /><bpmn:task id="b" /><bpmn:parallelGateway id="both" /><bpmn:userTask id="ask" /><bpmn:endEvent id="e" />';
    const flows = [
      flow('s', 'either'),
      flow('either', 'a', conditionXml),
      flow('either', 'b'),
      flow('a', 'both'),
      flow('b', 'both'),
      flow('both', 'ask'),
      flow('ask', 'e'),
    ];
    const file = collaborationModel(processWithStart('fine')).replace(
      '</bpmn:definitions>',
      `<bpmn:process id="stuck" isExecutable="true">${nodes}${flows.join('')}</bpmn:process></bpmn:definitions>`,
    );

    // when
    const [first, repeated] = [await admin.deployWorkflow({ body: file }), await admin.deployWorkflow({ body: file })];

    // then: the warnings do not include informational findings
    expect(first.warnings.map(({ message: _message, ...warning }) => warning)).to.deep.equal([
      { severity: 'error', rule: 'never-joins', elementId: 'both' },
    ]);
    expect(first.warnings[0]?.message).to.contain('"either" takes only one path');
    expect(repeated.warnings).to.deep.equal(first.warnings);
    expect((await viewer.getWorkflow({ workflowId: 'stuck' })).version).to.equal(1);
    expect((await admin.deployWorkflow({ body: collaborationModel(processWithStart('fine')) })).warnings).to.deep.equal(
      [],
    );
  });

  it('should return the plan of a dry run and change nothing', async () => {
    // given
    const file = collaborationModel(processWithStart('sales', ORDER_MESSAGE_EVENT), processWithStart('stock'));
    await deploy(collaborationModel(processWithStart('stock')));
    const count = await countDeployments();

    // when
    const plan = await admin.deployWorkflow({ dryRun: true, body: file });
    const unchangedPlan = await admin.deployWorkflow({
      dryRun: true,
      body: collaborationModel(processWithStart('stock')),
    });

    // then
    expect(plan).to.deep.include({ dryRun: true, refusals: [], warnings: [] });
    expect(plan.processes).to.deep.equal([
      { workflowId: 'sales', name: null, version: 1, unchanged: false },
      { workflowId: 'stock', name: null, version: 2, unchanged: false },
    ]);
    expect(plan.elements.map(({ elementId }) => elementId)).to.deep.equal([
      'sales-start',
      'sales-end',
      'stock-start',
      'stock-end',
    ]);
    expect(unchangedPlan.processes).to.deep.equal([{ workflowId: 'stock', name: null, version: 1, unchanged: true }]);
    expect(await expectProblem(viewer.getWorkflow({ workflowId: 'sales' }))).to.include({ code: 'workflow_not_found' });
    expect(await storage.findStartSubscriptions('message', 'ordered')).to.deep.equal([]);
    expect(await countDeployments()).to.equal(count);
    expect(await deploy(file), 'as planned').to.deep.equal({ status: 201, versions: { sales: 1, stock: 2 } });
  });

  it('should return refusals with their elements, and the same warnings as a deployment, in a dry run', async () => {
    // given
    const fileWithInvalidTimer = collaborationModel(processWithStart('stock', timerDefinition('soon')));
    const fileWithUnsupportedElement = collaborationModel(processWithStart('sales')).replace(
      '<bpmn:endEvent id="sales-end" />',
      '<bpmn:adHocSubProcess id="sales-end" />',
    );
    const fileWithMissingDecision = collaborationModel(processWithStart('sales')).replace(
      '<bpmn:endEvent id="sales-end" />',
      '<bpmn:businessRuleTask id="sales-end"><bpmn:extensionElements><zeebe:calledDecision decisionId="missing" resultVariable="r" /></bpmn:extensionElements></bpmn:businessRuleTask>',
    );

    // when
    const [planWithInvalidTimer, refused, planWithWarning] = await Promise.all(
      [fileWithInvalidTimer, fileWithUnsupportedElement, fileWithMissingDecision].map((body) =>
        admin.deployWorkflow({ dryRun: true, body }),
      ),
    );

    // then
    expect(refused?.refusals.map(({ elementId, code, line }) => ({ elementId, code, line }))).to.deep.include({
      elementId: 'sales-end',
      code: 'missing_activity',
      line: 5,
    });
    expect(refused).to.deep.include({ processes: [], elements: [] });
    expect(planWithInvalidTimer?.refusals.map(({ elementId }) => elementId)).to.deep.equal(['stock-start']);
    expect(planWithWarning?.refusals).to.deep.equal([]);
    expect(planWithWarning?.warnings.map(({ rule: name, elementId }) => [name, elementId])).to.deep.include([
      'missing-decision',
      'sales-end',
    ]);
    expect(planWithWarning?.warnings).to.deep.equal(
      (await admin.deployWorkflow({ body: fileWithMissingDecision })).warnings,
    );
  });

  it('should refuse a dry run for a file that is not BPMN and for callers without the admin role', async () => {
    const operator = await countersign.client('operator', 'otto');

    expect(await expectProblem(admin.deployWorkflow({ dryRun: true, body: '<a><b></a>' }))).to.include({
      status: 422,
      code: 'model_refused',
    });
    expect(
      await expectProblem(
        admin.deployWorkflow({ dryRun: true, body: '<html xmlns="http://www.w3.org/1999/xhtml" />' }),
      ),
    ).to.include({ status: 422, code: 'model_refused' });
    expect(
      await expectProblem(
        operator.deployWorkflow({ dryRun: true, body: collaborationModel(processWithStart('sales')) }),
      ),
    ).to.include({
      status: 403,
      code: 'forbidden',
    });
  });

  it('should replace the start events of earlier versions with those of the newest version', async () => {
    // given
    const [first, second] = [
      collaborationModel(
        processWithStart('sales', ORDER_MESSAGE_EVENT),
        processWithStart('daily', timerDefinition('PT1H')),
      ),
      collaborationModel(
        processWithStart('sales', ALARM_SIGNAL_EVENT),
        processWithStart('daily', timerDefinition('PT2H')),
      ),
    ];
    const engine = countersign.host.get(EnginePort);
    const publishOrder = () =>
      engine.correlateMessage({ context: OUTSIDE_CONTEXT, messageName: 'ordered', correlationKey: '', payload: {} });
    await deploy(first);
    expect((await publishOrder()).startedRunIds).to.have.length(1);

    // when
    await deploy(second);
    expect(await deploy(first), 'an identical file keeps its version').to.deep.equal({
      status: 200,
      versions: { sales: 1, daily: 1 },
    });

    // then
    expect((await publishOrder()).startedRunIds).to.deep.equal([]);
    await engine.broadcastSignal({ context: OUTSIDE_CONTEXT, signalName: 'alarm', payload: {} });
    await waitUntil('the signal starts a run', async () => (await listRunVersions('sales')).length === 2);
    expect(await listRunVersions('sales')).to.deep.equal([2, 1]);
    // The second timer is due after the first one: if the first one still existed, it would also start a run.
    clock.setTo(clock.time + 2 * HOUR);
    await waitUntil('the timer starts a run', async () => (await storage.nextStartTimerAt()) === null);
    expect(await listRunVersions('daily')).to.deep.equal([2]);
  });
});
