import { expect } from 'chai';
import { user } from '../interpreter.spec.support.js';
import { AgentRun, agentTask, ask, call, policyFor } from './agents.spec.support.js';

const DAY_MS = 86_400_000;

async function startWithQuestions(...calls: ReturnType<typeof ask>[]): Promise<AgentRun> {
  const run = await AgentRun.createWithTask();
  run.turn(calls);
  return run;
}

describe('questions of agents', () => {
  it('should wait for the answer without a job, and return the answer to the agent', async () => {
    // given
    const run = await startWithQuestions(ask('Which team?', { options: ['red', 'blue'] }));
    const { questionId } = run.question();
    // then
    expect(run.jobs()).to.deep.equal([]);
    expect(run.project()).to.deep.include({ status: 'blocked', pendingQuestions: 1 });
    expect(run.project().waitingFor[0]).to.deep.include({ kind: 'question', elementId: 'a', questionId });
    expect(run.requests.find((request) => request.type === 'question.open')).to.deep.include({ type: 'question.open' });
    // when
    const { question } = run.answer('red');
    // then
    expect(question).to.deep.include({
      questionId,
      status: 'answered',
      answer: 'red',
      answeredBy: { type: 'user', id: 'otto', name: 'otto' },
      agentName: 'triage',
      elementId: 'a',
    });
    expect(run.of('agent.call.completed')[0]!.private?.['content']).to.deep.equal({ answered: true, answer: 'red' });
    expect(run.of('question.answered')[0]!.private?.['actor']).to.deep.include({ id: 'otto' });
    expect(run.turnJob().jobType).to.equal('agent');
    expect(run.project()).to.deep.include({ status: 'active', pendingQuestions: 0 });
  });

  it('should allow several questions at the same time and in parallel with a call', async () => {
    // given
    const run = await startWithQuestions(
      { ...ask('One?'), tool: 'ask.one' },
      { ...ask('Two?'), tool: 'ask.two' },
      call('read.one'),
    );
    // then
    expect(run.project()).to.deep.include({ status: 'active', pendingQuestions: 2 });
    const [firstWait, secondWait] = run.project().waitingFor;
    // when
    run.answer('2', secondWait!.questionId);
    run.result('read.one');
    // then
    expect(run.project()).to.deep.include({ status: 'blocked', pendingQuestions: 1 });
    // when
    run.answer('1', firstWait!.questionId);
    // then
    expect(run.of('agent.call.completed').map(({ data }) => data['tool'])).to.deep.equal([
      'ask.two',
      'read.one',
      'ask.one',
    ]);
    expect(run.turnJob().jobType).to.equal('agent');
  });

  it('should refuse an answer that is not one of the options or not a string', async () => {
    const run = await startWithQuestions(ask('Which?', { options: ['a', 'b'] }));
    expect(run.answer('c').refusal?.code).to.equal('invalid_answer');
    const freeTextRun = await startWithQuestions(ask('Which?'));
    expect(freeTextRun.answer({ a: 1 }).refusal?.code).to.equal('invalid_answer');
    const schemaRun = await startWithQuestions(ask('Which?', { answerSchema: { type: 'object' } }));
    expect(schemaRun.answer({ a: 1 }).refusal).to.equal(null);
  });

  it('should distinguish an answered question from an unknown one', async () => {
    // given
    const run = await startWithQuestions(ask('One?'), ask('Two?'));
    const { questionId } = run.question();
    run.answer('1');
    // then
    expect(run.answer('1 again', questionId).refusal?.code).to.equal('question_already_answered');
    expect(run.answer('1', '019bb000-0000-7000-9000-000000000009').refusal?.code).to.equal('question_not_found');
  });

  describe('with a due date', () => {
    it('should continue with the default answer when the question expires', async () => {
      // given
      const run = await startWithQuestions(ask('Now?', { dueInMs: DAY_MS, onDue: { kind: 'continue', answer: 'no' } }));
      const { questionId, dueAt } = run.question();
      expect(dueAt).to.equal(run.now + DAY_MS);
      // when
      run.fireTimer();
      // then
      expect(run.requests.find((request) => request.type === 'question.change')).to.deep.include({
        change: { questionId, status: 'expired', answer: 'no', answeredBy: null, closedAt: run.now },
      });
      expect(run.of('agent.call.completed')[0]!.private?.['content']).to.deep.equal({ answered: false, answer: 'no' });
      expect(run.turnJob().jobType).to.equal('agent');
      expect(run.answer('yes', questionId).refusal?.code).to.equal('question_already_answered');
    });

    it('should raise an incident when the question expires without a default answer, and ask again on recovery', async () => {
      // given
      const run = await startWithQuestions(ask('Now?', { dueInMs: DAY_MS }));
      const { questionId } = run.question();
      // when
      run.fireTimer();
      // then
      expect(run.at('a').incident?.code).to.equal('question_expired');
      expect(run.project().status).to.equal('failed');
      // when
      run.recover();
      // then
      expect(run.question().questionId).to.not.equal(questionId);
      expect(run.question().dueAt).to.equal(run.now + DAY_MS);
    });

    it('should disarm the due timer when the question is answered', async () => {
      const run = await startWithQuestions(ask('Now?', { dueInMs: DAY_MS }));
      const { timerId } = run.wait('a', 'timer');
      // when
      run.answer('yes');
      // then
      expect(run.requests).to.deep.include({ type: 'timer.disarm', timerId });
      expect(run.do({ type: 'timer.fire', actor: user('clock'), timerId }).refusal?.code).to.equal('not_waiting');
    });
  });

  it('should withdraw an open question when the run is cancelled', async () => {
    const run = await startWithQuestions(ask('Now?', { dueInMs: DAY_MS }));
    const { questionId } = run.question();
    // when
    run.do({ type: 'cancel', actor: user('otto'), reason: null });
    // then
    expect(run.of('question.withdrawn')[0]!.data).to.deep.equal({ questionId, reason: 'run_cancelled' });
    expect(run.requests.find((request) => request.type === 'question.change')).to.deep.include({
      change: { questionId, status: 'withdrawn', answer: null, answeredBy: null, closedAt: run.now },
    });
  });

  it('should withdraw an open question when an event interrupts the step', async () => {
    // given
    const timer =
      '<bpmn:boundaryEvent id="late" attachedToRef="a"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>';
    const run = await AgentRun.of(
      `<bpmn:startEvent id="start"/>${agentTask('a')}${timer}<bpmn:endEvent id="end"/><bpmn:endEvent id="out"/><bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="a"/><bpmn:sequenceFlow id="f2" sourceRef="a" targetRef="end"/><bpmn:sequenceFlow id="f3" sourceRef="late" targetRef="out"/>`,
    );
    run.start();
    run.turn([ask('Now?')]);
    // when
    run.fireTimer();
    // then
    expect(run.of('question.withdrawn')[0]!.data['reason']).to.equal('interrupted');
    expect(run.state?.outcome).to.equal('completed');
  });

  it('should refuse a question that the policy denies, that is too long or that has an invalid due date', async () => {
    // given
    const run = await AgentRun.createWithTask(
      undefined,
      {},
      (agentRun) => (agentRun.policy = policyFor({ 'human.ask': { decision: 'deny' } })),
    );
    // when
    run.turn([ask('May I?'), ask('x'.repeat(10_001)), ask('Soon?', { dueInMs: 0 })]);
    // then
    expect(run.of('agent.call.refused').map(({ data }) => data['code'])).to.deep.equal([
      'policy_denied',
      'question_too_long',
      'question_due_invalid',
    ]);
  });
});
