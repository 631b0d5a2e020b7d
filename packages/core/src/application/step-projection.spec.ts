import { expect } from 'chai';
import type { RunEvent } from '@countersign/model';
import {
  approval,
  end,
  flows,
  job,
  script,
  start,
  TestRun,
  user,
} from '../../../interpreter/dist/interpreter.spec.support.js';
import { StepProjection } from './step-projection.js';

const bpmnModel =
  start +
  script('double', '=amount * 2', 'twice') +
  job('work') +
  approval('ok', '', { 'approval.reworkStep': 'work' }) +
  end +
  flows('start > double', 'double > work', 'work > ok', 'ok > end');

function projectSteps(run: TestRun): StepProjection {
  return new StepProjection().applyAll(run.events as unknown as RunEvent[]);
}

function summarizeSteps(run: TestRun): unknown[] {
  return projectSteps(run)
    .listSteps()
    .map(({ elementId, status, attempt, iteration }) => [elementId, status, attempt, iteration]);
}

describe('StepProjection', () => {
  it('should return the steps of a run, including steps that complete immediately', async () => {
    // given
    const run = await TestRun.of(bpmnModel);

    // when
    run.start({ amount: 2 });

    // then
    expect(summarizeSteps(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['double', 'completed', 1, 1],
      ['work', 'active', 1, 1],
    ]);
    const projection = projectSteps(run);
    expect(projection.inputs).to.deep.equal({ amount: 2 });
    const [startStep, scriptStep] = projection.listSteps();
    expect(startStep).to.include({ type: 'startEvent', policyDecision: null, output: null, enteredSeq: 1 });
    expect(scriptStep).to.deep.include({ type: 'scriptTask', output: { twice: 4 } });
    expect(scriptStep?.policyDecision).to.include({ decision: 'allow', decidedAt: scriptStep?.startedAt });
  });

  it('should include the fields of messages in the inputs, with the latest value of each name', () => {
    // given
    const at = Date.parse('2026-01-02T03:04:05Z');
    const event = { at, stepId: null, elementId: null, data: {} };
    const messages = ['a', 'b'].map((value, n) => ({
      ...event,
      seq: n + 2,
      type: 'message.received' as const,
      private: { payload: { value, [value]: n } },
    }));

    // when
    const projection = new StepProjection().applyAll([
      {
        ...event,
        seq: 1,
        type: 'run.started',
        private: {
          inputs: { amount: 2 },
          startEvent: { elementId: 'start', trigger: 0, payload: { value: 'start', first: true } },
        },
      },
      ...messages,
    ]);

    // then
    expect(projection.inputs).to.deep.equal({ amount: 2, first: true, value: 'b', a: 0, b: 1 });
  });

  it('should show the attempts, the failure and the recovery of a step', async () => {
    const run = await TestRun.of(bpmnModel);
    run.start({ amount: 2 });

    run.fail('work');
    expect(summarizeSteps(run).at(-1)).to.deep.equal(['work', 'active', 2, 1]);
    expect(projectSteps(run).listSteps().at(-1)?.error).to.deep.equal({
      code: 'broken',
      message: 'The job failed.',
      retryable: true,
    });

    run.fail('work', false);
    expect(summarizeSteps(run).at(-1)).to.deep.equal(['work', 'failed', 2, 1]);

    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    const recoveredSteps = projectSteps(run).listSteps();
    expect(recoveredSteps.at(-1)).to.include({ elementId: 'work', status: 'active', attempt: 3, error: null });
    expect(recoveredSteps.filter((step) => step.elementId === 'work')).to.have.length(1);
  });

  it('should show the child run of a call activity, and none for other steps', async () => {
    // given
    const callActivity =
      '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other" /></bpmn:extensionElements></bpmn:callActivity>';
    const run = await TestRun.of(start + callActivity + end + flows('start > call', 'call > end'));

    // when
    run.start();

    // then
    const childRequested = run.events.find(({ type }) => type === 'child.requested');
    expect(childRequested?.data['childRunId']).to.be.a('string');
    expect(
      projectSteps(run)
        .listSteps()
        .map(({ calledRunId }) => calledRunId),
    ).to.deep.equal([null, childRequested?.data['childRunId']]);
  });

  it('should show a failed gateway and its completion after recovery', async () => {
    // given
    const gateway = '<bpmn:exclusiveGateway id="which" name="Which?"/>';
    const run = await TestRun.of(start + gateway + end + flows('start > which', 'which > end: =go'));

    // when
    run.start({ go: false });

    // then
    expect(summarizeSteps(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['which', 'failed', 1, 1],
    ]);
    const [, failedStep] = projectSteps(run).listSteps();
    expect(failedStep).to.deep.include({ name: 'Which?', type: 'exclusiveGateway', enteredSeq: 2 });
    expect(failedStep?.error).to.include({ code: 'no_flow_selected' });

    // when
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { go: true }, comment: null });

    // then
    expect(summarizeSteps(run).slice(1)).to.deep.equal([
      ['which', 'completed', 1, 1],
      ['end', 'completed', 1, 1],
    ]);
  });

  it('should show a waiting approval, rework as a new iteration, and cancellation', async () => {
    const run = await TestRun.of(bpmnModel);
    run.start({ amount: 2 });
    run.complete('work', { draft: 'one' });
    expect(summarizeSteps(run).at(-1)).to.deep.equal(['ok', 'waiting', 1, 1]);

    run.vote('ok', 'request_changes', user('boss'), 'shorter');
    run.complete('work', { draft: 'two' });
    run.do({ type: 'cancel', actor: user('otto'), reason: 'no longer needed' });

    expect(summarizeSteps(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['double', 'completed', 1, 1],
      ['work', 'completed', 1, 1],
      ['ok', 'completed', 1, 1],
      ['work', 'completed', 1, 2],
      ['ok', 'cancelled', 1, 2],
    ]);
  });

  it('should return the same steps however the events are split, without changing steps returned earlier', async () => {
    const run = await TestRun.of(bpmnModel);
    run.start({ amount: 2 });
    run.fail('work');
    run.complete('work', { draft: 'one' });
    run.vote('ok', 'approve');
    const events = run.events as unknown as RunEvent[];
    const allSteps = projectSteps(run).listSteps();
    for (let splitAt = 1; splitAt < events.length; splitAt += 1) {
      const projection = new StepProjection().applyAll(events.slice(0, splitAt));
      const earlierSteps = projection.listSteps();
      const earlierStepsCopy = structuredClone(earlierSteps);
      // Concurrent requests can read overlapping events.
      projection.applyAll(events.slice(Math.max(0, splitAt - 2)));
      expect(projection.listSteps()).to.deep.equal(allSteps);
      expect(earlierSteps).to.deep.equal(earlierStepsCopy);
    }
  });

  it('should refuse events with a gap', async () => {
    const run = await TestRun.of(bpmnModel);
    run.start({ amount: 2 });
    const events = run.events as unknown as RunEvent[];
    expect(() => new StepProjection().applyAll([...events.slice(0, 2), ...events.slice(3)])).to.throw('missing');
  });

  it('should show erased events without the erased data', async () => {
    const run = await TestRun.of(bpmnModel);
    run.start({ amount: 2 });
    run.fail('work', false);
    const erasedEvents = run.events.map((event) => ({ ...event, private: null })) as unknown as RunEvent[];
    const projection = new StepProjection().applyAll(erasedEvents);
    expect(projection.inputs).to.deep.equal({});
    expect(projection.listSteps().at(-1)?.error).to.deep.equal({ code: 'broken', message: '', retryable: false });
  });

  it('should show an agent step as waiting when all its open calls wait for people', () => {
    // given
    const baseEvent = { stepId: 's', elementId: 'e', at: 0, private: null };
    const agentEvents: [string, RunEvent['data']][] = [
      ['step.started', { type: 'serviceTask' }],
      ['agent.turn', { turn: 1, agent: 'triage' }],
      ['agent.call.requested', { callId: '1', needs: 'nothing' }],
      ['agent.call.dispatched', { callId: '1' }],
      ['agent.call.requested', { callId: '2', needs: 'approval' }],
      ['approval.requested', { approvalId: 'a' }],
      ['agent.call.completed', { callId: '1' }],
      ['agent.call.dispatched', { callId: '2' }],
      ['agent.call.lost', { callId: '2', questionId: 'q' }],
      ['question.asked', { questionId: 'q', callId: '2' }],
      ['question.answered', { questionId: 'q', callId: '2' }],
      ['agent.call.completed', { callId: '2' }],
    ];
    const projection = new StepProjection();

    // when
    const statuses = agentEvents.map(([type, data], index) => {
      projection.applyAll([{ ...baseEvent, seq: index + 1, type, data } as unknown as RunEvent]);
      return projection.listSteps().map(({ status, agentName }) => `${status} ${agentName ?? '-'}`);
    });

    // then
    const expectedStatuses = [
      'active -',
      'active triage',
      'active triage',
      'active triage',
      'active triage',
      'active triage',
      'waiting triage',
      'active triage',
      'active triage',
      'waiting triage',
      'active triage',
      'active triage',
    ];
    expect(statuses.flat()).to.deep.equal(expectedStatuses);
  });
});
