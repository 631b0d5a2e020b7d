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
import { StepProjection } from './project-steps.js';

const model =
  start +
  script('double', '=amount * 2', 'twice') +
  job('work') +
  approval('ok', '', { 'approval.reworkStep': 'work' }) +
  end +
  flows('start > double', 'double > work', 'work > ok', 'ok > end');

function projected(run: TestRun): StepProjection {
  return new StepProjection().fold(run.events as unknown as RunEvent[]);
}

function shown(run: TestRun): unknown[] {
  return projected(run)
    .ordered()
    .map(({ elementId, status, attempt, iteration }) => [elementId, status, attempt, iteration]);
}

describe('StepProjection', () => {
  it('should return the steps of a run, including steps that complete immediately', async () => {
    // given
    const run = await TestRun.of(model);

    // when
    run.start({ amount: 2 });

    // then
    expect(shown(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['double', 'completed', 1, 1],
      ['work', 'active', 1, 1],
    ]);
    const projection = projected(run);
    expect(projection.inputs).to.deep.equal({ amount: 2 });
    const [first, double] = projection.ordered();
    expect(first).to.include({ type: 'startEvent', policyDecision: null, output: null, enteredSeq: 1 });
    expect(double).to.deep.include({ type: 'scriptTask', output: { twice: 4 } });
    expect(double?.policyDecision).to.include({ decision: 'allow', decidedAt: double?.startedAt });
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
    const projection = new StepProjection().fold([
      {
        ...event,
        seq: 1,
        type: 'run.started',
        private: {
          inputs: { amount: 2 },
          startEvent: { elementId: 'told', trigger: 0, payload: { value: 'start', first: true } },
        },
      },
      ...messages,
    ]);

    // then
    expect(projection.inputs).to.deep.equal({ amount: 2, first: true, value: 'b', a: 0, b: 1 });
  });

  it('should show the attempts, the failure and the recovery of a step', async () => {
    const run = await TestRun.of(model);
    run.start({ amount: 2 });

    run.fail('work');
    expect(shown(run).at(-1)).to.deep.equal(['work', 'active', 2, 1]);
    expect(projected(run).ordered().at(-1)?.error).to.deep.equal({
      code: 'broken',
      message: 'It broke.',
      retryable: true,
    });

    run.fail('work', false);
    expect(shown(run).at(-1)).to.deep.equal(['work', 'failed', 2, 1]);

    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    const recovered = projected(run).ordered();
    expect(recovered.at(-1)).to.include({ elementId: 'work', status: 'active', attempt: 3, error: null });
    expect(recovered.filter((step) => step.elementId === 'work')).to.have.length(1);
  });

  it('should show the child run of a call activity, and none for other steps', async () => {
    // given
    const call =
      '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other" /></bpmn:extensionElements></bpmn:callActivity>';
    const run = await TestRun.of(start + call + end + flows('start > call', 'call > end'));

    // when
    run.start();

    // then
    const requested = run.events.find(({ type }) => type === 'child.requested');
    expect(requested?.data['childRunId']).to.be.a('string');
    expect(
      projected(run)
        .ordered()
        .map(({ calledRunId }) => calledRunId),
    ).to.deep.equal([null, requested?.data['childRunId']]);
  });

  it('should show a failed gateway and its completion after recovery', async () => {
    // given
    const gateway = '<bpmn:exclusiveGateway id="which" name="Which?"/>';
    const run = await TestRun.of(start + gateway + end + flows('start > which', 'which > end: =go'));

    // when
    run.start({ go: false });

    // then
    expect(shown(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['which', 'failed', 1, 1],
    ]);
    const [, failed] = projected(run).ordered();
    expect(failed).to.deep.include({ name: 'Which?', type: 'exclusiveGateway', enteredSeq: 2 });
    expect(failed?.error).to.include({ code: 'no_flow_selected' });

    // when
    run.do({ type: 'recover', actor: user('otto'), steps: null, variables: { go: true }, comment: null });

    // then
    expect(shown(run).slice(1)).to.deep.equal([
      ['which', 'completed', 1, 1],
      ['end', 'completed', 1, 1],
    ]);
  });

  it('should show a waiting approval, rework as a new iteration, and cancellation', async () => {
    const run = await TestRun.of(model);
    run.start({ amount: 2 });
    run.complete('work', { draft: 'one' });
    expect(shown(run).at(-1)).to.deep.equal(['ok', 'waiting', 1, 1]);

    run.vote('ok', 'request_changes', user('boss'), 'shorter');
    run.complete('work', { draft: 'two' });
    run.do({ type: 'cancel', actor: user('otto'), reason: 'enough' });

    expect(shown(run)).to.deep.equal([
      ['start', 'completed', 1, 1],
      ['double', 'completed', 1, 1],
      ['work', 'completed', 1, 1],
      ['ok', 'completed', 1, 1],
      ['work', 'completed', 1, 2],
      ['ok', 'cancelled', 1, 2],
    ]);
  });

  it('should return the same steps however the events are split, without changing steps returned earlier', async () => {
    const run = await TestRun.of(model);
    run.start({ amount: 2 });
    run.fail('work');
    run.complete('work', { draft: 'one' });
    run.vote('ok', 'approve');
    const events = run.events as unknown as RunEvent[];
    const whole = projected(run).ordered();
    for (let cut = 1; cut < events.length; cut += 1) {
      const projection = new StepProjection().fold(events.slice(0, cut));
      const early = projection.ordered();
      const copy = structuredClone(early);
      // two concurrent requests produce overlapping events
      projection.fold(events.slice(Math.max(0, cut - 2)));
      expect(projection.ordered()).to.deep.equal(whole);
      expect(early).to.deep.equal(copy);
    }
  });

  it('should refuse events with a gap', async () => {
    const run = await TestRun.of(model);
    run.start({ amount: 2 });
    const events = run.events as unknown as RunEvent[];
    expect(() => new StepProjection().fold([...events.slice(0, 2), ...events.slice(3)])).to.throw('missing');
  });

  it('should show erased events without the erased data', async () => {
    const run = await TestRun.of(model);
    run.start({ amount: 2 });
    run.fail('work', false);
    const erased = run.events.map((event) => ({ ...event, private: null })) as unknown as RunEvent[];
    const projection = new StepProjection().fold(erased);
    expect(projection.inputs).to.deep.equal({});
    expect(projection.ordered().at(-1)?.error).to.deep.equal({ code: 'broken', message: '', retryable: false });
  });

  it('should show an agent step as waiting when all its open calls wait for people', () => {
    // given
    const base = { stepId: 's', elementId: 'e', at: 0, private: null };
    const told: [string, RunEvent['data']][] = [
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
    const statuses = told.map(([type, data], index) => {
      projection.fold([{ ...base, seq: index + 1, type, data } as unknown as RunEvent]);
      return projection.ordered().map(({ status, agentName }) => `${status} ${agentName ?? '-'}`);
    });

    // then
    const steps = [
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
    expect(statuses.flat()).to.deep.equal(steps);
  });
});
