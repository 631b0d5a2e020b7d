import { expect } from 'chai';
import { type Actor, type OutgoingMessage, type ParentRun, type RunState } from '@countersign/model';
import { approval, end, flows, job, RUN_ID, start, TestRun, user } from './interpreter.spec.support.js';
import { replayRun } from './replay/replay-run.spec.support.js';

const ROOT_RUN_ID = '019aa000-0000-7000-8000-00000000000f';
const PARENT: ParentRun = { runId: '019aa000-0000-7000-8000-00000000000e', rootRunId: ROOT_RUN_ID, depth: 2 };
const CALL_ACTIVITY =
  '<bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="other"/></bpmn:extensionElements></bpmn:callActivity>';
/** A job, a child run and an approval in parallel. */
const PARALLEL_MODEL = `${start}<bpmn:parallelGateway id="fork"/>${job('work')}${CALL_ACTIVITY}${approval('ok')}${flows('start > fork', 'fork > work', 'fork > call', 'fork > ok')}`;
const ESCALATION_MODEL = `${start}${CALL_ACTIVITY}<bpmn:boundaryEvent id="raised" attachedToRef="call" cancelActivity="false"><bpmn:escalationEventDefinition escalationRef="X"/></bpmn:boundaryEvent>${approval('ok')}${flows('start > call', 'raised > ok')}`;
const SYSTEM: Actor = { type: 'system', id: 'countersign', name: null };

async function startRun(elements: string, actor = user('starter'), parent?: ParentRun): Promise<TestRun> {
  const run = await TestRun.of(elements);
  run.start({ amount: 1 }, actor, undefined, parent);
  return run;
}

function upload(run: TestRun, actor: Actor): void {
  run.do({
    type: 'artifact.record',
    actor,
    artifactId: 'a',
    name: 'figures.csv',
    size: 1,
    sha256: 'x',
    contentType: 'text/csv',
  });
}

const findContributorMessages = (run: TestRun) =>
  run.requests
    .flatMap((request): OutgoingMessage[] => (request.type === 'send' ? [request.message] : []))
    .filter((message) => message.kind === 'contributors');
const addContributors = (run: TestRun, ...contributors: string[]) =>
  run.do({ type: 'contributors.add', actor: SYSTEM, contributors });
const voteRefusalCode = (run: TestRun, id: string): string | undefined =>
  run.vote('ok', 'approve', user(id)).refusal?.code;

/** Returns the votes in the pending approvals. */
const listVotes = (state: RunState | null | undefined) =>
  Object.values(state?.instances ?? {}).flatMap(({ waits = [] }) =>
    waits.flatMap((wait) => (wait.kind === 'approval' ? wait.approval.votes : [])),
  );

describe('contributors to the data of a run', () => {
  it('should be reported to the parent run and to the child runs', async () => {
    // given
    const run = await startRun(PARALLEL_MODEL, user('starter'), PARENT);
    const { childRunId } = run.wait('call', 'child');

    // when
    upload(run, user('ada'));

    // then
    const expectedMessage = { kind: 'contributors', rootRunId: ROOT_RUN_ID, contributors: ['ada'] };
    const messages = findContributorMessages(run);
    expect(messages.map(({ messageId: _id, ...message }) => message)).to.deep.equal([
      { ...expectedMessage, childRunId: RUN_ID, toRunId: PARENT.runId },
      { ...expectedMessage, childRunId, toRunId: childRunId },
    ]);
    expect(new Set(messages.map(({ messageId }) => messageId)).size).to.equal(2);
  });

  it('should be forwarded once, and only if the run has not recorded them before', async () => {
    // given
    const run = await startRun(PARALLEL_MODEL);

    // when
    expect(addContributors(run, 'ada', 'bea', 'ada').refusal).to.equal(null);

    // then
    expect(findContributorMessages(run).map(({ contributors }) => contributors)).to.deep.equal([['ada', 'bea']]);
    expect(addContributors(run, 'bea').refusal?.code).to.equal('not_waiting');
    expect(findContributorMessages(run)).to.have.length(1);
    expect(addContributors(run, 'bea', 'cem').events.map(({ private: privateData }) => privateData)).to.deep.equal([
      { contributors: ['cem'] },
    ]);
  });

  it('should not be reported back to the run that sent the report', async () => {
    const run = await startRun(PARALLEL_MODEL, user('starter'), PARENT);
    const { childRunId } = run.wait('call', 'child');
    const receiveContributors = (from: string, ...contributors: string[]) =>
      run.do({ type: 'contributors.add', actor: SYSTEM, childRunId: from, contributors });
    receiveContributors(childRunId, 'ada');
    receiveContributors(RUN_ID, 'bea');
    expect(findContributorMessages(run).map(({ toRunId, contributors }) => [toRunId, ...contributors])).to.deep.equal([
      [PARENT.runId, 'ada'],
      [childRunId, 'bea'],
    ]);
  });

  it('should be excluded from approvals that are already pending', async () => {
    const run = await startRun(PARALLEL_MODEL);
    const { requests } = addContributors(run, 'ada');
    expect(requests).to.deep.include({
      type: 'approval.exclude',
      approvalId: run.wait('ok', 'approval').approval.approvalId,
      excluded: { starter: 'started_run', ada: 'edited_subject' },
    });
    expect(voteRefusalCode(run, 'ada')).to.equal('self_approval');
    expect(voteRefusalCode(run, 'bea')).to.equal(undefined);
  });

  it('should be refused a vote while the report of their contribution is still in transit', async () => {
    const run = await startRun(PARALLEL_MODEL);
    const { approvalId } = run.wait('ok', 'approval').approval;
    const vote = (id: string, pendingContributors: string[]) =>
      run.do({
        type: 'approval.vote',
        actor: user(id),
        approvalId,
        decision: 'approve',
        comment: null,
        expectedDigest: null,
        expectedRound: null,
        pendingContributors,
      }).refusal?.code;
    expect(vote('ada', ['bea', 'ada'])).to.equal('self_approval');
    expect(vote('ada', ['bea'])).to.equal(undefined);
  });

  it('should be restored by a replay, including those that a child run reports when it escalates or completes', async () => {
    // given
    const run = await startRun(ESCALATION_MODEL);
    const { childRunId } = run.wait('call', 'child');
    const report = { kind: 'escalation', code: 'X', variables: {}, contributors: ['ada'] } as const;

    // when
    run.do({ type: 'child.report', actor: SYSTEM, childRunId, report });
    addContributors(run, 'bea');
    run.do({
      type: 'child.report',
      actor: SYSTEM,
      childRunId,
      report: { kind: 'completed', variables: {}, contributors: ['cem'] },
    });

    // then
    expect(run.state?.editors).to.deep.equal(['ada', 'bea', 'cem']);
    expect(replayRun(run)?.editors).to.deep.equal(['ada', 'bea', 'cem']);
  });

  it('should include the person for whom an agent acts, but not a service that acts for itself', async () => {
    const agent: Actor = { type: 'service', id: 'ada', name: null, onBehalfOf: 'ada' };
    const serviceActor: Actor = { type: 'service', id: 'bea', name: null };
    const runStartedByAgent = await startRun(PARALLEL_MODEL, agent);
    expect(voteRefusalCode(runStartedByAgent, 'ada')).to.equal('self_approval');
    expect(runStartedByAgent.state?.instances[runStartedByAgent.state.root]?.taints).to.deep.equal({
      amount: ['service'],
    });
    expect(replayRun(runStartedByAgent)?.startedByService).to.equal(undefined);

    const run = await startRun(PARALLEL_MODEL);
    upload(run, agent);
    upload(run, serviceActor);
    run.fail('work', false);
    run.do({ type: 'recover', actor: serviceActor, steps: null, variables: { amount: 2 }, comment: null });
    expect(run.state?.editors).to.deep.equal(['ada']);
    expect(voteRefusalCode(run, 'ada')).to.equal('self_approval');
    expect(voteRefusalCode(run, 'bea')).to.not.equal('self_approval');
  });

  it('should include an administrator who becomes a candidate by reassigning through an agent', async () => {
    const run = await startRun(
      `${start}${approval('ok', '<zeebe:assignmentDefinition candidateUsers="ann"/>')}${end}${flows('start > ok', 'ok > end')}`,
    );
    const { approvalId } = run.wait('ok', 'approval').approval;
    run.do({
      type: 'approval.reassign',
      actor: { type: 'service', id: 'root', name: null, onBehalfOf: 'root' },
      approvalId,
      candidateUsers: ['root', 'ann'],
      candidateGroups: [],
      comment: null,
    });
    expect(voteRefusalCode(run, 'root')).to.equal('self_approval');
    expect(voteRefusalCode(run, 'ann')).to.equal(undefined);
  });

  it('should let a delegate vote in place of the candidate who has not contributed, also in a replay', async () => {
    // given
    const run = await startRun(
      `${start}<bpmn:parallelGateway id="fork"/>${job('work')}${approval('ok', '<zeebe:assignmentDefinition candidateUsers="ada, bea, cem"/>', { 'approval.quorum': '2' })}${end}${flows('start > fork', 'fork > work', 'fork > ok', 'ok > end')}`,
    );
    const { approvalId } = run.wait('ok', 'approval').approval;
    for (const id of ['ada', 'bea'])
      run.do({ type: 'approval.delegate', actor: user(id), approvalId, to: 'eve', until: null });
    upload(run, user('ada'));

    // when
    run.vote('ok', 'approve', user('eve'));

    // then
    const listDelegations = (state: RunState | null | undefined) =>
      Object.values(state?.instances ?? {})
        .flatMap(({ waits = [] }) =>
          waits.flatMap((wait) => (wait.kind === 'approval' ? wait.approval.delegations : [])),
        )
        .map(({ from, voteId }) => [from, voteId !== undefined]);
    expect(listDelegations(run.state)).to.deep.equal([
      ['ada', false],
      ['bea', true],
    ]);
    expect(listDelegations(replayRun(run))).to.deep.equal(listDelegations(run.state));
  });

  it('should lose their earlier vote, and their delegate the right to vote, also in a replay', async () => {
    // given: a candidate who votes, and a candidate who has delegated
    const run = await startRun(
      `${start}<bpmn:parallelGateway id="fork"/>${job('work')}${approval('ok', '<zeebe:assignmentDefinition candidateUsers="ada, bea, cem, dan"/>', { 'approval.quorum': '2' })}${end}${flows('start > fork', 'fork > work', 'fork > ok', 'ok > end')}`,
    );
    const { approvalId } = run.wait('ok', 'approval').approval;
    run.do({ type: 'approval.delegate', actor: user('bea'), approvalId, to: 'eve', until: null });
    expect(voteRefusalCode(run, 'ada')).to.equal(undefined);

    // when both contribute to the data before the second vote
    upload(run, user('ada'));
    upload(run, user('bea'));
    expect(voteRefusalCode(run, 'eve')).to.equal('not_a_candidate');
    const secondVoteResult = run.vote('ok', 'approve', user('cem'));

    // then
    const [firstVote] = run.wait('ok', 'approval').approval.votes;
    expect(secondVoteResult.events.map(({ type, data }) => [type, data['notCounted']])).to.deep.equal([
      ['approval.voted', [firstVote?.voteId]],
    ]);
    expect(listVotes(replayRun(run)))
      .to.have.length(2)
      .and.to.deep.equal(listVotes(run.state));

    // when
    const thirdVoteResult = run.vote('ok', 'approve', user('dan'));

    // then
    expect(thirdVoteResult.events.map(({ type }) => type)).to.include('approval.resolved');
    expect(listVotes(replayRun(run))).to.deep.equal([]);
  });

  it('should keep their earlier vote in a replay of a history that is older than this rule', async () => {
    const run = await startRun(
      `${start}${approval('ok', '', { 'approval.quorum': '2' })}${end}${flows('start > ok', 'ok > end')}`,
    );
    run.vote('ok', 'approve', user('ada'));
    run.context = () => ({ ...TestRun.prototype.context.call(run), isReplay: true });
    upload(run, user('ada'));
    run.vote('ok', 'approve', user('bea'));
    run.context = () => TestRun.prototype.context.call(run);
    expect(run.events.map(({ type }) => type)).to.include('approval.resolved');
    expect(listVotes(replayRun(run))).to.deep.equal([]);
  });

  it('should be allowed to change approved variables if separation of duties was off for the approval', async () => {
    const run = await TestRun.of(
      `${start}${approval('ok')}${job('work')}${end}${flows('start > ok', 'ok > work', 'work > end')}`,
    );
    run.separationOfDuties = false;
    run.start();
    run.separationOfDuties = true;
    run.vote('ok', 'approve', user('ada'));
    run.fail('work', false);
    const recoverResult = run.do({
      type: 'recover',
      actor: user('ada'),
      steps: null,
      variables: { amount: 2 },
      comment: null,
    });
    expect(recoverResult.refusal).to.equal(null);
  });

  it('should be refused a change of the variables they have approved, unlike another operator', async () => {
    // given
    const run = await startRun(
      `${start}${approval('ok')}${job('work')}${end}${flows('start > ok', 'ok > work', 'work > end')}`,
    );
    run.vote('ok', 'approve', user('ada'));
    run.fail('work', false);
    const recover = (actor: Actor, variables: { amount: number } | null) =>
      run.do({ type: 'recover', actor, steps: null, variables, comment: null }).refusal?.code;

    // then
    expect(recover(user('ada'), { amount: 1_000_000 })).to.equal('self_approval');
    const agent: Actor = { type: 'service', id: 'ada', name: null, onBehalfOf: 'ada' };
    expect(recover(agent, { amount: 1_000_000 })).to.equal('self_approval');
    expect(recover(user('ada'), null)).to.equal(undefined);
    run.fail('work', false);
    expect(recover(user('bea'), { amount: 2 })).to.equal(undefined);
  });
});
