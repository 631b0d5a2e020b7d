import type { Client } from '@countersign/contract';
import { EnginePort, StoragePort } from '@countersign/core';
import type { RequestContext } from '@countersign/core/ports';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { bpmn, createTestHost, expectProblem, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { waitForApproval, waitForEnd } from '../http/http.spec.support.js';
import { PUBLISH } from './engine-models.spec.support.js';
import { externalEnginePlugin } from './external-engine.spec.support.js';

const { callActivity, END, message, sequence, signal, START, startEvent, timer } = bpmn;

const CONTEXT: RequestContext = { actor: { type: 'service', id: 'shop', name: null }, from: null, traceId: null };

const MODELS = [
  PUBLISH,
  sequence('child', START, serviceTask('work', 'work', 1), END),
  sequence('parent', START, callActivity('call', 'child'), END),
];

describe('moving a workflow to another engine', function () {
  this.timeout(60_000);
  let embedded: TestHost;
  let external: TestHost;
  let admin: Client;
  let viewer: Client;

  beforeEach(async () => {
    embedded = await createTestHost({ jobTypes: ['work'], engine: { plugin: engineEmbeddedPlugin } });
    external = await createTestHost({
      jobTypes: ['work'],
      shareDataWith: embedded,
      engine: { plugin: externalEnginePlugin },
    });
    admin = await embedded.client('admin', 'ada');
    viewer = await embedded.client('viewer', 'vera');
    for (const model of MODELS) await embedded.deploy(model);
  });

  afterEach(async () => {
    await external?.close();
    await embedded?.close();
  });

  const getEngine = (): EnginePort => embedded.host.get(EnginePort);
  const move = (workflowId: string, engine: string | null) => admin.moveWorkflow({ workflowId, body: { engine } });
  const start = async (workflowId: string, client = viewer) =>
    client.startRun({ body: { workflowId, ...(workflowId === 'publish' ? { inputs: {} } : {}) } });

  it('should affect only new runs', async () => {
    // given
    const before = await start('publish');
    expect(before.engine).to.equal('embedded');

    // when
    const moved = await move('publish', 'external');

    // then
    expect(moved).to.deep.include({ engine: 'external', activeRuns: [{ engine: 'embedded', count: 1 }] });
    const after = await start('publish');
    expect(after.engine).to.equal('external');
    await Promise.all([embedded.jobs.complete('work', {}), external.jobs.complete('work', {})]);
    const approver = await external.client('approver', 'bob');
    for (const { runId } of [before, after]) {
      const { approvalId } = await waitForApproval(viewer, runId);
      await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
    }
    await Promise.all([embedded.jobs.complete('work', {}), external.jobs.complete('work', {})]);
    for (const { runId } of [before, after]) await waitForEnd(viewer, runId);
    const listEngines = async (query: Parameters<Client['listRuns']>[0]) =>
      (await viewer.listRuns(query)).items.map(({ engine }) => engine);
    expect(await listEngines({ workflowId: 'publish' })).to.deep.equal(['external', 'embedded']);
    expect(await listEngines({ engine: 'embedded' })).to.deep.equal(['embedded']);
    expect((await viewer.getRun({ runId: after.runId })).engine).to.equal('external');
  });

  it('should use the new engine on a server that knows the old one', async () => {
    // given
    const otherViewer = await external.client('viewer', 'vera');
    await move('publish', 'external');
    expect((await start('publish', otherViewer)).engine).to.equal('external');

    // when
    await move('publish', 'embedded');

    // then
    expect((await start('publish', otherViewer)).engine).to.equal('embedded');
  });

  it('should keep workflows on the embedded engine while a server has it, unless they are moved', async () => {
    // given
    const otherViewer = await external.client('viewer', 'vera');
    expect((await start('publish', otherViewer)).engine).to.equal('embedded');
    await move('publish', 'external');
    expect((await start('publish', otherViewer)).engine).to.equal('external');

    // when
    expect(await move('publish', null)).to.deep.include({ engine: null });

    // then
    expect((await start('publish', otherViewer)).engine).to.equal('embedded');
  });

  it('should run a child run on the engine of its workflow, or else of its parent run', async () => {
    const startParent = async () => {
      const { runId } = await start('parent');
      const child = await waitUntil(
        'the child run starts',
        async () => (await viewer.listRuns({ parentRunId: runId })).items[0],
      );
      return [(await viewer.getRun({ runId })).engine, child.engine];
    };

    expect(await startParent()).to.deep.equal(['embedded', 'embedded']);
    await move('parent', 'external');
    expect(await startParent()).to.deep.equal(['external', 'external']);
    await move('child', 'embedded');
    expect(await startParent()).to.deep.equal(['external', 'embedded']);
  });

  for (const [trigger, definition, cause] of [
    ['a timer', timer('timeDuration', 'PT0.1S'), () => Promise.resolve()],
    [
      'a message',
      message('order'),
      () => getEngine().correlateMessage({ messageName: 'order', correlationKey: '', payload: {}, context: CONTEXT }),
    ],
    [
      'a signal',
      signal('order'),
      () => getEngine().broadcastSignal({ signalName: 'order', payload: {}, context: CONTEXT }),
    ],
    [
      'a condition',
      '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">=ordered</bpmn:condition></bpmn:conditionalEventDefinition>',
      () => admin.evaluateConditions({ body: { variables: { ordered: true } } }),
    ],
  ] as const) {
    it(`should start a run by ${trigger} on the new engine`, async () => {
      // given
      await embedded.deploy(sequence('reminder', START, END));
      await move('reminder', 'external');
      await embedded.deploy(sequence('reminder', startEvent('begin', definition), serviceTask('work', 'work', 1), END));

      // when
      await cause();

      // then
      const run = await waitUntil(
        'the run starts',
        async () => (await viewer.listRuns({ workflowId: 'reminder' })).items[0],
      );
      expect(run.engine).to.equal('external');
      await external.jobs.complete('work', {});
      await waitForEnd(viewer, run.runId);
    });
  }

  it('should use the new engine even if the old one accepts no more starts', async () => {
    // given
    const storage = embedded.host.get(StoragePort);
    await move('publish', 'external');
    await start('publish');
    storage.countAnnouncements = async () => ({ count: 10_000, oldestAgeMs: 0 });
    await waitUntil('starts are refused', async () => {
      const [result] = await Promise.allSettled([start('publish')]);
      return result?.status === 'rejected';
    });

    // when
    await move('publish', 'embedded');

    // then
    expect((await start('publish')).engine).to.equal('embedded');
  });

  it('should make each of many concurrent starts on one of the engines while its workflow is moved', async () => {
    // given
    const otherViewer = await external.client('viewer', 'vera');

    // when
    const starts = Promise.all(
      Array.from({ length: 60 }, async (_, index) => start('publish', index % 2 === 0 ? viewer : otherViewer)),
    );
    for (const engine of ['external', 'embedded', 'external']) await move('publish', engine);
    const runs = await starts;

    // then
    for (const { runId, engine } of runs) expect((await viewer.getRun({ runId })).engine).to.equal(engine);
    const { activeRuns } = await admin.getWorkflowEngine({ workflowId: 'publish' });
    expect(activeRuns.reduce((sum, { count }) => sum + count, 0)).to.equal(runs.length);
    const started = await Promise.all(Array.from({ length: 10 }, () => start('publish', otherViewer)));
    expect(new Set(started.map(({ engine }) => engine))).to.deep.equal(new Set(['external']));
  });

  it('should plan a move without making it', async () => {
    // given
    await start('publish');

    // when
    const plan = await admin.moveWorkflow({ workflowId: 'publish', body: { engine: 'external' }, dryRun: true });

    // then
    expect(plan).to.deep.equal({
      dryRun: true,
      workflowId: 'publish',
      from: null,
      to: 'external',
      activeRuns: [{ engine: 'embedded', count: 1 }],
      servers: [
        { engine: 'embedded', count: 1 },
        { engine: 'external', count: 1 },
      ],
    });
    expect((await start('publish')).engine).to.equal('embedded');
  });

  it('should record a move in the audit trail', async () => {
    await move('publish', 'external');

    const { items } = await admin.listAuditEvents({});
    const recorded = items.find(({ action }) => action === 'workflow.move');
    expect(recorded).to.deep.include({ target: { type: 'workflow', id: 'publish' }, result: 'ok' });
    expect(recorded?.actor).to.equal('ada');
    expect(recorded?.data).to.deep.include({ from: null, to: 'external' });
  });

  it('should refuse a move to an engine that no server has', async () => {
    const plan = () => admin.moveWorkflow({ workflowId: 'publish', body: { engine: 'tempral' }, dryRun: true });

    for (const problem of [await expectProblem(move('publish', 'tempral')), await expectProblem(plan())]) {
      expect(problem.code).to.equal('engine_not_available');
      expect(problem).to.deep.include({ available: ['embedded', 'external'] });
    }
  });

  it('should refuse moves that are not permitted', async () => {
    const approver = await embedded.client('approver', 'bob');
    const problems = await Promise.all([
      expectProblem(move('unknown', 'external')),
      expectProblem(approver.moveWorkflow({ workflowId: 'publish', body: { engine: 'external' } })),
      expectProblem(viewer.getWorkflowEngine({ workflowId: 'publish' })),
    ]);

    expect(problems.map(({ code }) => code)).to.deep.equal(['workflow_not_found', 'forbidden', 'forbidden']);
  });

  it('should warn of runs whose engine no server has', async () => {
    // given
    await move('publish', 'external');
    await start('publish');
    const findCheck = async () => (await admin.getReady()).checks.find(({ name }) => name === 'engines');
    expect(await findCheck()).to.include({ status: 'ok' });

    // when
    await external.close();

    // then
    const check = await findCheck();
    expect(check).to.include({ status: 'warn' });
    expect(check?.detail).to.contain('"external"');
  });
});
