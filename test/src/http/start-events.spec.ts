import type { Client } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { messageModel, messageStartEvent } from '../messages/messages.spec.support.js';
import { expectProblem } from './http.spec.support.js';

const CONTEXT = { actor: { type: 'service', id: 'shop', name: 'Shop' }, from: 'test', traceId: null } as const;
const TIMER_START =
  '<bpmn:startEvent id="daily"><bpmn:timerEventDefinition><bpmn:timeCycle xsi:type="bpmn:tFormalExpression">R/P1D</bpmn:timeCycle></bpmn:timerEventDefinition></bpmn:startEvent>';
const messageStartVersion = (id: string): string =>
  messageModel(
    id,
    `${messageStartEvent('placed', 'order.placed')}${TIMER_START}<bpmn:endEvent id="end" />`,
    'placed > end',
    'daily > end',
  );
const requestStartVersion = (id: string): string =>
  processModel(id, '<bpmn:startEvent id="start" /><bpmn:endEvent id="end" />', 'start > end');

describe('API: workflows without a none start event', () => {
  let test: TestHost;
  let viewer: Client;

  before(async () => {
    test = await createTestHost();
    viewer = await test.client('viewer');
  });

  after(() => test.close());

  it('should refuse a start of any version and report the start events', async () => {
    // given
    await test.deploy(messageStartVersion('told'));
    const starts = [
      { elementId: 'placed', kind: 'message', value: 'order.placed' },
      { elementId: 'daily', kind: 'timer', value: 'R/P1D' },
    ];

    // then
    for (const version of [undefined, 1]) {
      const problem = await expectProblem(
        viewer.startRun({ body: { workflowId: 'told', ...(version === undefined ? {} : { version }) } }),
      );
      expect(problem).to.deep.include({ status: 409, code: 'no_start_event', starts });
      expect(problem.detail).to.contain('the message "order.placed" or the timer R/P1D');
    }
    expect((await viewer.listRuns({ workflowId: 'told' })).items).to.deep.equal([]);
    expect((await viewer.getWorkflow({ workflowId: 'told' })).starts).to.deep.equal(starts);
    expect(
      (await viewer.listWorkflows({})).items.find(({ workflowId }) => workflowId === 'told')?.starts,
    ).to.deep.equal(starts);
  });

  it('should refuse a start with an idempotency key, and start once a new version has a none start event', async () => {
    // given
    await test.deploy(messageStartVersion('changing'));
    const body = { workflowId: 'changing' };
    const idempotencyKey = 'start-changing';
    expect(await expectProblem(viewer.startRun({ body }, { idempotencyKey }))).to.include({ code: 'no_start_event' });

    // when
    await test.deploy(requestStartVersion('changing'));

    // then
    expect(await viewer.startRun({ body }, { idempotencyKey: 'another' })).to.include({
      status: 'completed',
      workflowVersion: 2,
    });
    expect(await expectProblem(viewer.startRun({ body: { ...body, version: 1 } }))).to.include({
      code: 'no_start_event',
    });
    expect((await viewer.getWorkflow({ workflowId: 'changing' })).starts).to.deep.equal([
      { elementId: 'start', kind: 'none', value: null },
    ]);
  });

  it('should raise an incident at a call activity that calls such a workflow', async () => {
    // given
    await test.deploy(messageStartVersion('called'));
    await test.deploy(
      processModel(
        'caller',
        '<bpmn:startEvent id="start" /><bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called" /></bpmn:extensionElements></bpmn:callActivity><bpmn:endEvent id="end" />',
        'start > call',
        'call > end',
      ),
    );

    // when
    const { runId } = await viewer.startRun({ body: { workflowId: 'caller' } });

    // then
    const failedRun = await waitUntil('the call has failed', async () => {
      const run = await viewer.getRun({ runId });
      return run.incidents > 0 && run;
    });
    expect(failedRun.error).to.include({ code: 'no_start_event', elementId: 'call' });
    expect((await viewer.listRuns({ workflowId: 'called' })).items).to.deep.equal([]);
  });

  it('should start by the message of a start event', async () => {
    await test.deploy(messageStartVersion('ordered'));

    const { startedRunIds } = await test.host
      .get(EnginePort)
      .correlateMessage({ context: CONTEXT, messageName: 'order.placed', correlationKey: 'A-1', payload: {} });

    const runs = await Promise.all(startedRunIds.map((runId) => viewer.getRun({ runId })));
    expect(runs.map(({ workflowId, outcome }) => ({ workflowId, outcome }))).to.deep.include({
      workflowId: 'ordered',
      outcome: 'completed',
    });
  });
});
