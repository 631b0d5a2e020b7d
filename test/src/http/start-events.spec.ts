import type { Client } from '@countersign/contract';
import { EnginePort } from '@countersign/core';
import { createTestHost, processModel, type TestHost, waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { messageModel, messageStartEvent } from '../messages/messages.spec.support.js';
import { expectProblem } from './http.spec.support.js';

const CONTEXT = { actor: { type: 'service', id: 'shop', name: 'Shop' }, from: 'test', traceId: null } as const;
const TIMER_START =
  '<bpmn:startEvent id="daily"><bpmn:timerEventDefinition><bpmn:timeCycle xsi:type="bpmn:tFormalExpression">R/P1D</bpmn:timeCycle></bpmn:timerEventDefinition></bpmn:startEvent>';
const buildMessageStartModel = (id: string): string =>
  messageModel(
    id,
    `${messageStartEvent('placed', 'order.placed')}${TIMER_START}<bpmn:endEvent id="end" />`,
    'placed > end',
    'daily > end',
  );
const buildNoneStartModel = (id: string): string =>
  processModel(id, '<bpmn:startEvent id="start" /><bpmn:endEvent id="end" />', 'start > end');

describe('API: workflows without a none start event', () => {
  let countersign: TestHost;
  let viewer: Client;

  before(async () => {
    countersign = await createTestHost();
    viewer = await countersign.client('viewer');
  });

  after(() => countersign.close());

  it('should refuse to start any version, and report the start events', async () => {
    // given
    await countersign.deploy(buildMessageStartModel('by-message'));
    const starts = [
      { elementId: 'placed', kind: 'message', value: 'order.placed' },
      { elementId: 'daily', kind: 'timer', value: 'R/P1D' },
    ];

    // then
    for (const version of [undefined, 1]) {
      const problem = await expectProblem(
        viewer.startRun({ body: { workflowId: 'by-message', ...(version === undefined ? {} : { version }) } }),
      );
      expect(problem).to.deep.include({ status: 409, code: 'no_start_event', starts });
      expect(problem.detail).to.contain('the message "order.placed" or the timer R/P1D');
    }
    expect((await viewer.listRuns({ workflowId: 'by-message' })).items).to.deep.equal([]);
    expect((await viewer.getWorkflow({ workflowId: 'by-message' })).starts).to.deep.equal(starts);
    expect(
      (await viewer.listWorkflows({})).items.find(({ workflowId }) => workflowId === 'by-message')?.starts,
    ).to.deep.equal(starts);
  });

  it('should refuse to start with an idempotency key, and start a run once a new version has a none start event', async () => {
    // given
    await countersign.deploy(buildMessageStartModel('changing'));
    const body = { workflowId: 'changing' };
    const idempotencyKey = 'start-changing';
    expect(await expectProblem(viewer.startRun({ body }, { idempotencyKey }))).to.include({ code: 'no_start_event' });

    // when
    await countersign.deploy(buildNoneStartModel('changing'));

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
    await countersign.deploy(buildMessageStartModel('called'));
    await countersign.deploy(
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

  it('should start a run when the message of a start event is received', async () => {
    await countersign.deploy(buildMessageStartModel('ordered'));

    const { startedRunIds } = await countersign.host
      .get(EnginePort)
      .correlateMessage({ context: CONTEXT, messageName: 'order.placed', correlationKey: 'A-1', payload: {} });

    const runs = await Promise.all(startedRunIds.map((runId) => viewer.getRun({ runId })));
    expect(runs.map(({ workflowId, outcome }) => ({ workflowId, outcome }))).to.deep.include({
      workflowId: 'ordered',
      outcome: 'completed',
    });
  });
});
