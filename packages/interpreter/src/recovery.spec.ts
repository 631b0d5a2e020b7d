import { expect } from 'chai';
import { allow, approval, end, flows, job, start, TestRun, user } from './interpreter.spec.support.js';

const elements = start + job('a') + job('b') + end + flows('start > a', 'a > b', 'b > end');
const recoverAll = { type: 'recover', actor: user('op'), steps: null, variables: null, comment: 'again' } as const;

describe('advance(): failures, recovery, cancellation, policy', () => {
  it('should retry with exponential backoff, then raise an incident, and continue from the failed step on recovery', async () => {
    // given
    const run = await TestRun.of(elements);
    run.start();

    // when
    run.fail('a');
    run.fail('a');
    const pauses = run.requests.flatMap((r) => (r.type === 'job.reschedule' ? [r.dueAt - run.now] : []));
    expect(pauses).to.deep.equal([1000, 2000]);
    expect(run.project().status).to.equal('active');
    run.fail('a');

    // then
    expect(run.project()).to.include({ status: 'failed', incidents: 1, currentStep: 'a' });
    const failedStep = run.at('a').stepId;
    run.do(recoverAll);
    expect(run.at('a')).to.include({ stepId: failedStep, attempt: 4 });
    run.complete('a');
    run.complete('b');
    expect(run.state?.outcome).to.equal('completed');
    expect(run.eventTypes().filter((type) => type === 'step.attempt_failed')).to.have.length(2);
  });

  it('should raise an incident immediately for a permanent failure', async () => {
    const run = await TestRun.of(elements);
    run.start();
    run.fail('a', false);
    expect(run.project().error).to.deep.equal({ code: 'broken', message: 'The job failed.', elementId: 'a' });
  });

  it('should ignore a job result that arrives too late', async () => {
    const run = await TestRun.of(elements);
    run.start();
    const { jobId } = run.wait('a', 'job');
    run.complete('a');
    const before = run.state;
    const lateResult = run.do({ type: 'job.complete', actor: user('w'), jobId, output: { evil: 1 }, agentName: null });
    expect(lateResult).to.deep.include({ events: [], requests: [] });
    expect(run.state).to.equal(before);
  });

  it('should open the boundary events of a step only once, however often its recovery fails', async () => {
    // given
    const boundaryEvent =
      '<bpmn:boundaryEvent id="on" attachedToRef="work"><bpmn:messageEventDefinition messageRef="stop"/></bpmn:boundaryEvent>';
    const run = await TestRun.of(
      start + job('work') + boundaryEvent + end + flows('start > work', 'work > end', 'on > end'),
    );
    run.start({ key: 'k' });
    run.fail('work', false);
    run.policy = (request) => ({ ...allow(request), decision: 'deny' });
    const recover = () => run.do({ type: 'recover', actor: user('otto'), steps: null, variables: null, comment: null });
    // when
    recover();
    run.policy = allow;
    recover();
    // then
    expect(run.at('work').waits?.map(({ kind }) => kind)).to.deep.equal(['message', 'job']);
    expect(run.at('work').attempt).to.equal(3);
  });

  it('should refuse to recover a run or a step that has not failed', async () => {
    const run = await TestRun.of(elements);
    run.start();
    expect(run.do(recoverAll).refusal?.code).to.equal('run_not_recoverable');
    run.fail('a', false);
    const wrongRecovery = { ...recoverAll, steps: [run.at('a').stepId, 'another'] };
    expect(run.do(wrongRecovery).refusal?.code).to.equal('run_not_recoverable');
  });

  it('should raise an incident in the leave phase if an output mapping fails after the job has completed', async () => {
    const run = await TestRun.of(
      start +
        job('a', '<zeebe:ioMapping><zeebe:output source="=assert(x, x = 1)" target="y"/></zeebe:ioMapping>') +
        end +
        flows('start > a', 'a > end'),
    );
    run.start();
    run.complete('a', { x: 2 });
    expect(run.project().error?.code).to.equal('feel_assertion_failed');
    expect(run.state?.instances[run.at('a').key]?.incident?.phase).to.equal('leave');
  });

  it('should withdraw all waits when the run is cancelled, and refuse to cancel the run again', async () => {
    const run = await TestRun.of(
      start +
        '<bpmn:parallelGateway id="f"/>' +
        job('a') +
        approval('ok') +
        end +
        flows('start > f', 'f > a', 'f > ok', 'a > end', 'ok > end'),
    );
    run.start();
    run.do({ type: 'cancel', actor: user('op'), reason: 'not wanted' });
    expect(run.state?.outcome).to.equal('cancelled');
    expect(run.eventTypes()).to.include.members([
      'run.cancel_requested',
      'step.cancelled',
      'approval.withdrawn',
      'run.cancelled',
    ]);
    expect(run.do({ type: 'cancel', actor: user('op'), reason: null }).refusal?.code).to.equal('run_already_ended');
  });

  it('should raise an incident if the policy denies a step or is unavailable, and continue on recovery', async () => {
    for (const policy of [
      () => ({ ...allow({} as never), decision: 'deny' as const, rationale: 'never on Fridays' }),
      () => {
        throw new Error('no policy loaded');
      },
    ]) {
      const run = await TestRun.of(elements);
      run.policy = policy;
      run.start();
      expect(run.project()).to.include({ status: 'failed', incidents: 1 });
      expect(run.requests.filter((r) => r.type === 'job.offer')).to.deep.equal([]);
      run.policy = allow;
      run.do(recoverAll);
      expect(run.tokens()).to.deep.equal(['a']);
      expect(run.project().status).to.equal('active');
    }
  });

  it('should pass the evaluated job type to the policy', async () => {
    const run = await TestRun.of(start + job('a', '', '=kind') + end + flows('start > a', 'a > end'));
    const jobTypes: (string | null)[] = [];
    run.policy = (request) => {
      jobTypes.push(request.jobType);
      return allow(request);
    };
    run.start({ kind: 'agent' });
    expect(jobTypes).to.deep.equal(['agent']);
  });

  it('should give the run the highest risk level of its steps, except steps that will be repeated', async () => {
    const run = await TestRun.of(
      start +
        job('agent', '', 'agent') +
        job('risky') +
        approval('ok') +
        end +
        flows('start > agent', 'agent > risky', 'risky > ok', 'ok > end'),
    );
    run.policy = (request) => ({ ...allow(request), riskLevel: request.elementId === 'risky' ? 'high' : 'medium' });
    run.start();
    expect(run.project().riskLevel).to.equal('medium');
    run.complete('agent');
    expect(run.project().riskLevel).to.equal('high');
    run.complete('risky');
    run.vote('ok', 'request_changes', user('boss'), 'calmer');
    expect(run.project().riskLevel).to.equal('medium');
  });

  it('should record an artifact even after the run has ended', async () => {
    const run = await TestRun.of(start + end + flows('start > end'));
    run.start();
    run.do({
      type: 'artifact.record',
      actor: user('op'),
      artifactId: 'x',
      name: 'n',
      size: 1,
      sha256: 'aa',
      contentType: 'text/plain',
    });
    expect(run.state?.artifacts['n']).to.deep.equal({ version: 1, sha256: 'aa', by: 'op' });
    expect(run.eventTypes().at(-1)).to.equal('artifact.created');
  });

  it('should record a comment even after the run has ended, without any other effect', async () => {
    const run = await TestRun.of(start + end + flows('start > end'));
    run.start();
    const before = run.state;
    run.now += 60_000;
    const { requests } = run.do({
      type: 'approval.comment',
      actor: user('op'),
      commentId: 'c',
      approvalId: 'a',
      round: 1,
      stepId: 's',
      elementId: 'ok',
      digest: 'sha256:0',
      text: 'Why?',
    });
    expect(requests).to.deep.equal([]);
    const { seq = 0 } = before ?? {};
    expect(run.state).to.deep.equal({ ...before, seq: seq + 1, commentedAt: run.now });
    expect(run.events.at(-1)).to.include({ type: 'approval.commented', at: run.now });
  });

  it('should not record anything with an earlier time than a comment before it', async () => {
    const run = await TestRun.of(start + end + flows('start > end'));
    run.start();
    const comment = { commentId: 'c', approvalId: 'a', round: 1, stepId: 's', elementId: 'ok', digest: 'd', text: 'x' };
    run.now += 60_000;
    const commentedAt = run.now;
    run.do({ type: 'approval.comment', actor: user('op'), ...comment });

    // The clock of another server is slower.
    run.now -= 60_000;
    const artifact = { artifactId: 'x', name: 'n', size: 1, sha256: 'aa', contentType: 'text/plain' };
    run.do({ type: 'artifact.record', actor: user('op'), ...artifact });

    expect(run.events.at(-1)).to.include({ type: 'artifact.created', at: commentedAt });
    expect(run.state?.updatedAt).to.equal(commentedAt);
  });

  it('should not leave a sub-process on recovery while an event sub-process in it is active', async () => {
    // given: a sub-process that could not be left, and in which an event occurs before the recovery
    const event =
      '<bpmn:startEvent id="on" isInterrupting="false"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>';
    const handler = `<bpmn:subProcess id="handler" triggeredByEvent="true">${event}${job('b')}${flows('on > b')}</bpmn:subProcess>`;
    const subProcessContent = `<bpmn:startEvent id="s"/>${job('a')}${flows('s > a')}${handler}`;
    const gateway = '<bpmn:exclusiveGateway id="g"/>';
    const run = await TestRun.of(
      `${start}<bpmn:subProcess id="p1">${subProcessContent}</bpmn:subProcess>${gateway}${end}${flows('start > p1', 'p1 > g', 'p1 > end: =n > 1', 'g > end')}`,
    );
    run.start({ key: 'k' });
    run.complete('a');
    expect(run.at('p1').incident?.phase).to.equal('leave');
    run.do({
      type: 'message.correlate',
      actor: user('system'),
      subscriptionId: run.wait('p1', 'message').subscriptionId,
      payload: {},
    });
    expect(run.tokens()).to.include('b');

    // when
    run.do({ ...recoverAll, variables: { n: 2 } });

    // then
    expect(run.tokens()).to.deep.equal(['p1', 'handler', 'b']);
    run.complete('b');
    expect(run.state?.outcome).to.equal('completed');
  });
});
