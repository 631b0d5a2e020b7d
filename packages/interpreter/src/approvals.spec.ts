import { expect } from 'chai';
import type { Absence, ApprovalRecord, JsonObject } from '@countersign/model';
import { approval, end, flows, job, start, T0, TestRun, user } from './interpreter.spec.support.js';

const boss = user('boss');

function findOpenedApprovals(run: TestRun): ApprovalRecord[] {
  return run.requests.flatMap((request) => (request.type === 'approval.open' ? [request.approval] : []));
}

const approvalModel = (extra = '', properties: Record<string, string> = {}): string =>
  start +
  job('agent', '', 'agent') +
  approval('ok', extra, properties) +
  job('after') +
  end +
  flows('start > agent', 'agent > ok', 'ok > after', 'after > end');

/** Builds a model with an approval parallel to the job `other`. */
const approvalWithParallelJob = (extra = ''): string =>
  start +
  '<bpmn:parallelGateway id="f"/>' +
  job('other') +
  approval('ok', extra) +
  end +
  flows('start > f', 'f > other', 'f > ok', 'other > end', 'ok > end');

async function startAndReachApproval(elements: string): Promise<TestRun> {
  const run = await TestRun.of(elements);
  run.start({ amount: 1 });
  run.complete('agent', { draft: 'one' });
  return run;
}

describe('advance(): approvals', () => {
  it('should wait for an approval, then continue with the approval decision as a variable', async () => {
    // given
    const run = await startAndReachApproval(approvalModel());
    expect(run.project()).to.include({ status: 'blocked', pendingApprovals: 1 });
    const [openedApproval] = findOpenedApprovals(run);
    expect(openedApproval).to.include({
      title: 'Approve ok',
      status: 'pending',
      round: 1,
      quorum: 1,
      requestedBy: 'starter',
    });
    expect(openedApproval?.subject.inputs).to.deep.equal({ amount: 1, draft: 'one' });

    // when
    const result = run.vote('ok', 'approve', boss, 'fine');

    // then
    expect(result.refusal).to.equal(null);
    expect(result.approval).to.include({ status: 'approved' });
    expect(run.tokens()).to.deep.equal(['after']);
    expect(run.variables()['approval']).to.deep.equal({
      decision: 'approve',
      comment: 'fine',
      decidedBy: 'boss',
      decidedAt: new Date(T0).toISOString(),
      round: 1,
    });
  });

  it('should fail with approval_invalid if FEEL returns an invalid name or number', async () => {
    for (const [attribute, inputs] of [
      ['assignee="=who"', { who: 7 }],
      ['assignee="=who"', { who: ['ann'] }],
      ['candidateUsers="=who"', { who: ['ann', 7] }],
      ['candidateGroups="=who"', { who: { name: 'leads' } }],
      ['candidateUsers="=who"', { who: ['ann', 'x'.repeat(256)] }],
    ] as const) {
      const run = await TestRun.of(approvalModel(`<zeebe:assignmentDefinition ${attribute}/>`));
      run.start(inputs as JsonObject);
      run.complete('agent');
      expect(run.at('ok').incident?.code, attribute).to.equal('approval_invalid');
    }
    for (const [extra, properties, inputs] of [
      ['<zeebe:priorityDefinition priority="=n"/>', {}, { n: 101 }],
      ['<zeebe:priorityDefinition priority="=n"/>', {}, { n: -1 }],
      ['<zeebe:priorityDefinition priority="=n"/>', {}, { n: 2_147_483_648 }],
      ['', { 'approval.quorum': '=n' }, { n: 0 }],
      ['', { 'approval.quorum': '=n' }, { n: 1_000 }],
      ['', { 'approval.quorum': '=n' }, { n: 1.5 }],
    ] as const) {
      const run = await TestRun.of(approvalModel(extra, properties));
      run.start(inputs);
      run.complete('agent');
      expect(run.at('ok').incident?.code, JSON.stringify(inputs)).to.equal('approval_invalid');
    }
    const runWithoutEvidence = await TestRun.of(approvalModel('', { 'approval.evidence': '=missing' }));
    runWithoutEvidence.start({});
    runWithoutEvidence.complete('agent');
    expect(runWithoutEvidence.at('ok').incident?.code).to.equal('approval_invalid');
    const runWithInvalidEvidenceName = await TestRun.of(approvalModel('', { 'approval.evidence': '=name' }));
    runWithInvalidEvidenceName.start({ name: 'a/b' });
    runWithInvalidEvidenceName.complete('agent');
    expect(runWithInvalidEvidenceName.at('ok').incident?.message).to.contain(
      '"a/b", which is not a valid artifact name',
    );
  });

  it('should end the run as rejected when the BPMN model does not handle a rejection', async () => {
    const run = await startAndReachApproval(approvalModel());
    run.vote('ok', 'reject', boss, 'no');
    expect(run.state?.outcome).to.equal('rejected');
    expect(run.project().status).to.equal('failed');
    expect(run.eventTypes().at(-1)).to.equal('run.rejected');
    expect(run.tokens()).to.deep.equal([]);
  });

  it('should return the run to the agent on request_changes, and link the new round to the previous one', async () => {
    // given
    const run = await startAndReachApproval(approvalModel());
    const firstApproval = run.wait('ok', 'approval').approval;

    // when
    run.vote('ok', 'request_changes', boss, 'shorter');

    // then
    expect(run.tokens()).to.deep.equal(['agent']);
    expect(run.variables()['approval']).to.include({ decision: 'request_changes', comment: 'shorter' });
    expect(run.at('agent').iteration).to.equal(2);
    run.complete('agent', { draft: 'two' });
    const secondApproval = run.wait('ok', 'approval').approval;
    expect(secondApproval).to.include({ round: 2, previousApprovalId: firstApproval.approvalId });
    expect(secondApproval.approvalId).not.to.equal(firstApproval.approvalId);
  });

  it('should follow the BPMN model when a condition after the approval reads the decision', async () => {
    const run = await startAndReachApproval(
      start +
        job('agent', '', 'agent') +
        approval('ok') +
        '<bpmn:exclusiveGateway id="g" default="g_no"/>' +
        job('yes') +
        job('no') +
        flows('start > agent', 'agent > ok', 'ok > g', 'g > yes: =approval.decision = "approve"', 'g > no'),
    );
    run.vote('ok', 'reject');
    expect(run.tokens()).to.deep.equal(['no']);
    expect(run.state?.outcome).to.equal(null);
  });

  it('should refuse request_changes without a comment or without a step to return to, and record no event', async () => {
    const run = await startAndReachApproval(approvalModel());
    const eventCount = run.events.length;
    expect(run.vote('ok', 'request_changes', boss, '  ').refusal?.code).to.equal('comment_required');
    const runWithoutRework = await TestRun.of(start + approval('ok') + end + flows('start > ok', 'ok > end'));
    runWithoutRework.start();
    const eventCountWithoutRework = runWithoutRework.events.length;
    expect(runWithoutRework.vote('ok', 'request_changes', boss, 'better').refusal?.code).to.equal(
      'rework_not_possible',
    );
    expect([run.events.length, runWithoutRework.events.length]).to.deep.equal([eventCount, eventCountWithoutRework]);
  });

  it('should refuse the vote of the starter, of a service and of a user who is not a candidate', async () => {
    const run = await startAndReachApproval(
      approvalModel('<zeebe:assignmentDefinition candidateUsers="ann,bob" candidateGroups="leads"/>'),
    );
    expect(run.vote('ok', 'approve', user('carl')).refusal?.code).to.equal('not_a_candidate');
    expect(run.vote('ok', 'approve', user('starter', 'leads')).refusal?.code).to.equal('self_approval');
    expect(run.vote('ok', 'approve', { type: 'service', id: 'ann', name: null }).refusal?.code).to.equal(
      'service_cannot_decide',
    );
    expect(run.vote('ok', 'approve', user('dora', 'leads')).refusal).to.equal(null);
  });

  it('should count distinct users towards the quorum, and resolve the approval on the first rejection', async () => {
    // given
    const run = await startAndReachApproval(approvalModel('', { 'approval.quorum': '2' }));

    // when, then
    run.vote('ok', 'approve', user('ann'));
    expect(run.project().pendingApprovals).to.equal(1);
    expect(run.vote('ok', 'approve', user('ann')).refusal?.code).to.equal('already_voted');
    run.vote('ok', 'approve', user('bob'));
    expect(run.tokens()).to.deep.equal(['after']);

    const rejectedRun = await startAndReachApproval(approvalModel('', { 'approval.quorum': '2' }));
    rejectedRun.vote('ok', 'approve', user('ann'));
    rejectedRun.vote('ok', 'reject', user('bob'));
    expect(rejectedRun.state?.outcome).to.equal('rejected');
  });

  it('should withdraw the approval and open a new round when its evidence changes', async () => {
    // given
    const run = await startAndReachApproval(approvalModel('', { 'approval.evidence': 'plan.md' }));
    const firstApproval = run.wait('ok', 'approval').approval;

    // when
    run.do({
      type: 'artifact.record',
      actor: user('eve'),
      artifactId: 'x',
      name: 'plan.md',
      size: 1,
      sha256: 'aa',
      contentType: 'text/plain',
    });

    // then
    const secondApproval = run.wait('ok', 'approval').approval;
    expect(secondApproval).to.include({ round: 2, previousApprovalId: firstApproval.approvalId });
    expect(secondApproval.digest).not.to.equal(firstApproval.digest);
    expect(run.vote('ok', 'approve', user('eve')).refusal?.code).to.equal('self_approval');
    const lateVote = run.do({
      type: 'approval.vote',
      actor: boss,
      approvalId: firstApproval.approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: firstApproval.digest,
      expectedRound: 1,
    });
    expect(lateVote.refusal?.code).to.equal('approval_already_resolved');
  });

  describe('in parallel branches without mappings', () => {
    const parallelApprovals = (properties: readonly Record<string, string>[]): string =>
      start +
      '<bpmn:parallelGateway id="f"/><bpmn:parallelGateway id="j"/>' +
      properties.map((each, index) => approval(`ok${index}`, '', each)).join('') +
      end +
      flows('start > f', ...properties.flatMap((_, index) => [`f > ok${index}`, `ok${index} > j`]), 'j > end');

    for (const [description, properties] of [
      ['with separate result variables', [0, 1, 2].map((index) => ({ 'approval.resultVariable': `by${index}` }))],
      ['with a shared result variable', [{}, {}, {}]],
    ] as const) {
      it(`should complete parallel approvals with one vote each, ${description}`, async () => {
        // given
        const run = await TestRun.of(parallelApprovals(properties));
        run.start({ amount: 1 });

        // when
        const refusalCodes = ['ok0', 'ok1', 'ok2'].map(
          (id, index) => run.vote(id, 'approve', user(`person${index}`)).refusal?.code,
        );

        // then
        expect(refusalCodes).to.deep.equal([undefined, undefined, undefined]);
        expect(findOpenedApprovals(run).map(({ subject }) => subject.inputs)).to.deep.equal(
          Array(3).fill({ amount: 1 }),
        );
        expect(run.state?.outcome).to.equal('completed');
      });
    }

    it('should omit parallel decisions from the subject, and include decisions from before the parallel block', async () => {
      // given
      const properties = [{ 'approval.resultVariable': 'legal' }, { 'approval.resultVariable': 'finance' }];
      const run = await TestRun.of(
        start +
          approval('first', '', { 'approval.resultVariable': 'lead' }) +
          '<bpmn:parallelGateway id="f"/>' +
          job('slow') +
          properties.map((each, index) => approval(`ok${index}`, '', each)).join('') +
          end +
          flows('start > first', 'first > f', 'f > ok0', 'f > slow', 'slow > ok1', 'ok0 > end', 'ok1 > end'),
      );
      run.start({ amount: 1 });
      run.vote('first', 'approve', user('ann'));
      run.vote('ok0', 'approve', user('bob'));

      // when
      run.complete('slow');

      // then
      expect(Object.keys(findOpenedApprovals(run).at(-1)?.subject.inputs ?? {})).to.deep.equal(['amount', 'lead']);
      expect(run.vote('ok1', 'approve', user('cid')).refusal).to.equal(null);
    });

    it('should refuse a vote when data of the displayed subject has changed', async () => {
      const run = await TestRun.of(approvalWithParallelJob());
      run.start({ amount: 1 });
      run.complete('other', { amount: 2, more: true });
      expect(run.vote('ok', 'approve', boss).refusal?.code).to.equal('stale_digest');
      expect(findOpenedApprovals(run).at(-1)?.subject.inputs).to.deep.equal({ amount: 2, more: true });
      expect(run.vote('ok', 'approve', boss).refusal).to.equal(null);
    });

    it('should accept a vote when another branch has only added data', async () => {
      const run = await TestRun.of(approvalWithParallelJob());
      run.start({ amount: 1 });
      run.complete('other', { report: 'done' });
      expect(run.vote('ok', 'approve', boss).refusal).to.equal(null);
    });
  });

  it('should refuse a vote as stale when another branch has changed a mapped input', async () => {
    // given
    const mapping = '<zeebe:ioMapping><zeebe:input source="=amount" target="amount"/></zeebe:ioMapping>';
    const run = await TestRun.of(approvalWithParallelJob(mapping));
    run.start({ amount: 1 });
    const { digest, approvalId } = run.wait('ok', 'approval').approval;
    run.complete('other', { amount: 1_000 });

    // when
    const staleVote = run.do({
      type: 'approval.vote',
      actor: boss,
      approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: digest,
      expectedRound: 1,
    });

    // then
    expect(staleVote.refusal?.code).to.equal('stale_digest');
    const nextApproval = run.wait('ok', 'approval').approval;
    expect(staleVote.refusal?.details).to.deep.equal({
      approvalId: nextApproval.approvalId,
      round: 2,
      digest: nextApproval.digest,
    });
    expect(run.at('ok').variables).to.deep.equal({ amount: 1_000 });
    expect(run.vote('ok', 'approve').refusal).to.equal(null);
  });

  it('should refuse a vote with a digest or round other than the current one', async () => {
    const run = await startAndReachApproval(approvalModel());
    const { approvalId } = run.wait('ok', 'approval').approval;
    const vote = { type: 'approval.vote', actor: boss, approvalId, decision: 'approve', comment: null } as const;
    expect(run.do({ ...vote, expectedDigest: 'sha256:other', expectedRound: null }).refusal?.code).to.equal(
      'stale_digest',
    );
    expect(run.do({ ...vote, expectedDigest: null, expectedRound: 2 }).refusal?.code).to.equal('stale_round');
  });

  it('should let a candidate delegate until a given time, but not an excluded user or a user who is not a candidate', async () => {
    const run = await startAndReachApproval(
      approvalModel('<zeebe:assignmentDefinition candidateUsers="ann,starter"/>'),
    );
    const { approvalId } = run.wait('ok', 'approval').approval;
    const delegate = (from: string, to: string) =>
      run.do({ type: 'approval.delegate', actor: user(from), approvalId, to, until: T0 + 1000 });
    expect(delegate('starter', 'friend').refusal?.code).to.equal('self_approval');
    expect(delegate('carl', 'dora').refusal?.code).to.equal('not_a_candidate');
    expect(delegate('ann', 'dora').refusal).to.equal(null);
    run.now += 1000;
    expect(run.vote('ok', 'approve', user('dora')).refusal?.code).to.equal('not_a_candidate');
    run.now -= 1;
    const { state } = run;
    expect(state?.updatedAt).to.be.greaterThan(run.now - 1000);
  });

  it('should count one vote per candidate, whether the candidate or a delegate casts the vote', async () => {
    // given
    const candidates = '<zeebe:assignmentDefinition candidateUsers="ann,bob,cid"/>';
    const run = await startAndReachApproval(approvalModel(candidates, { 'approval.quorum': '3' }));
    const { approvalId } = run.wait('ok', 'approval').approval;
    const delegate = (from: string, to: string) =>
      run.do({ type: 'approval.delegate', actor: user(from), approvalId, to, until: null });

    // when, then: a user who has voted cannot delegate
    delegate('ann', 'dora');
    run.vote('ok', 'approve', user('ann'));
    expect(run.vote('ok', 'approve', user('dora')).refusal?.code).to.equal('not_a_candidate');
    expect(delegate('ann', 'dora').refusal?.code).to.equal('already_voted');

    // and a user whose delegate has voted cannot delegate or vote
    delegate('bob', 'dora');
    expect(run.vote('ok', 'approve', user('dora')).refusal).to.equal(null);
    expect(run.events.at(-1)?.private).to.include({ inPlaceOf: 'bob' });
    expect(delegate('bob', 'dirk').refusal?.code).to.equal('already_voted');
    expect(run.vote('ok', 'approve', user('bob')).refusal?.code).to.equal('already_voted');
    run.do({
      type: 'approval.reassign',
      actor: user('root'),
      approvalId,
      candidateUsers: ['bob', 'cid'],
      candidateGroups: [],
      comment: null,
    });
    expect(run.vote('ok', 'approve', user('bob')).refusal?.code).to.equal('already_voted');

    expect(run.vote('ok', 'approve', user('cid')).refusal).to.equal(null);
    expect(run.tokens()).to.deep.equal(['after']);
  });

  it('should count the vote of a candidate as their own even if the candidate is also a delegate', async () => {
    const run = await startAndReachApproval(
      approvalModel('<zeebe:assignmentDefinition candidateUsers="ann,bob"/>', { 'approval.quorum': '2' }),
    );
    const { approvalId } = run.wait('ok', 'approval').approval;
    run.do({ type: 'approval.delegate', actor: user('ann'), approvalId, to: 'bob', until: null });
    run.vote('ok', 'approve', user('bob'));
    expect(run.vote('ok', 'approve', user('ann')).refusal).to.equal(null);
    expect(run.tokens()).to.deep.equal(['after']);
  });

  describe('votes of substitutes', () => {
    const candidates = '<zeebe:assignmentDefinition candidateUsers="ann,bob,cid" candidateGroups="leads"/>';
    const createAbsence = (subject: string, substitute: string | null, absenceId = `away-${subject}`): Absence => ({
      absenceId,
      subject,
      substitute,
      from: T0,
      until: T0 + 1000,
    });
    const castVote = (run: TestRun, voterId: string, ...absences: Absence[]) =>
      run.do({
        type: 'approval.vote',
        actor: user(voterId),
        approvalId: run.wait('ok', 'approval').approval.approvalId,
        decision: 'approve',
        comment: null,
        expectedDigest: null,
        expectedRound: null,
        absences,
      });
    const voteRefusalCode = (...voteArguments: Parameters<typeof castVote>) => castVote(...voteArguments).refusal?.code;

    it('should count the vote of a substitute as that of the absent approver, and record the absence', async () => {
      // given
      const run = await startAndReachApproval(approvalModel(candidates, { 'approval.quorum': '2' }));

      // when
      const { refusal, approval: approvalAfterVote, requests } = castVote(run, 'dora', createAbsence('ann', 'dora'));

      // then
      expect(refusal).to.equal(null);
      expect(approvalAfterVote?.delegations).to.deep.equal([
        {
          from: 'ann',
          to: 'dora',
          until: T0 + 1000,
          absenceId: 'away-ann',
          voteId: approvalAfterVote?.votes[0]?.voteId,
        },
      ]);
      expect(run.events.at(-1)?.private).to.deep.include({
        inPlaceOf: 'ann',
        absence: { absenceId: 'away-ann', until: new Date(T0 + 1000).toISOString() },
      });
      expect(requests).to.deep.include({ type: 'absence.rely', absenceId: 'away-ann' });

      // and it counts as the only vote of both ann and dora
      expect(voteRefusalCode(run, 'ann')).to.equal('already_voted');
      expect(voteRefusalCode(run, 'eve', createAbsence('ann', 'eve', 'another'))).to.equal('not_a_candidate');
      expect(voteRefusalCode(run, 'dora', createAbsence('bob', 'dora'))).to.equal('already_voted');
      run.do({
        type: 'approval.reassign',
        actor: user('root'),
        approvalId: run.wait('ok', 'approval').approval.approvalId,
        candidateUsers: ['ann', 'bob'],
        candidateGroups: [],
        comment: null,
      });
      expect(voteRefusalCode(run, 'ann')).to.equal('already_voted');
      expect(castVote(run, 'bob').refusal).to.equal(null);
      expect(run.tokens()).to.deep.equal(['after']);
    });

    it('should count a vote in place of a user name as the vote of the user who signs in with that name', async () => {
      // given
      const run = await startAndReachApproval(approvalModel(candidates, { 'approval.quorum': '3' }));
      const { approvalId } = run.wait('ok', 'approval').approval;
      castVote(run, 'dora', createAbsence('ann', 'dora'));
      const [ann, bob] = [
        { ...user('u-1'), userNames: ['Ann'] },
        { ...user('u-2'), userNames: ['Bob'] },
      ];
      const vote = { decision: 'approve', comment: null, expectedDigest: null, expectedRound: null } as const;

      // then
      expect(run.do({ type: 'approval.vote', actor: ann, approvalId, ...vote }).refusal?.code).to.equal(
        'already_voted',
      );
      const { refusal } = run.do({ type: 'approval.delegate', actor: ann, approvalId, to: 'eve', until: null });
      expect(refusal?.code).to.equal('already_voted');
      expect(voteRefusalCode(run, 'eve', { ...createAbsence('u-1', 'eve'), subjectNames: ['ann'] })).to.equal(
        'not_a_candidate',
      );
      expect(run.do({ type: 'approval.vote', actor: bob, approvalId, ...vote }).refusal).to.equal(null);
    });

    it('should let an absent approver vote personally, and a substitute who is a candidate cast their own vote', async () => {
      const run = await startAndReachApproval(approvalModel(candidates, { 'approval.quorum': '3' }));
      expect(castVote(run, 'ann', createAbsence('ann', 'dora')).refusal).to.equal(null);
      expect(voteRefusalCode(run, 'dora', createAbsence('ann', 'dora'))).to.equal('not_a_candidate');
      const { approval: approvalAfterVote } = castVote(run, 'bob', createAbsence('cid', 'bob'));
      expect(approvalAfterVote?.delegations).to.deep.equal([]);
      expect(voteRefusalCode(run, 'bob', createAbsence('cid', 'bob'))).to.equal('already_voted');
      expect(castVote(run, 'cid').refusal).to.equal(null);
      expect(run.tokens()).to.deep.equal(['after']);
    });

    it('should refuse a substitute of a group member, of an approver without a valid substitute, or of a substitute', async () => {
      const run = await startAndReachApproval(
        approvalModel('<zeebe:assignmentDefinition candidateUsers="bob" candidateGroups="leads"/>'),
      );
      expect(
        voteRefusalCode(run, 'dora', createAbsence('ann', 'dora')),
        'ann may only vote as a member of the group, and the groups of an absent user are unknown',
      ).to.equal('not_a_candidate');
      expect(voteRefusalCode(run, 'dora', createAbsence('bob', null), createAbsence('bob', 'eve'))).to.equal(
        'not_a_candidate',
      );
      expect(
        voteRefusalCode(run, 'cid', createAbsence('bob', 'dora'), createAbsence('dora', 'cid')),
        'no substitute of a substitute',
      ).to.equal('not_a_candidate');
    });

    it('should not let a substitute vote while a delegation is in force, nor in place of a delegate', async () => {
      const run = await startAndReachApproval(approvalModel(candidates));
      const { approvalId } = run.wait('ok', 'approval').approval;
      run.do({ type: 'approval.delegate', actor: user('ann'), approvalId, to: 'eve', until: T0 + 10 });
      expect(voteRefusalCode(run, 'dora', createAbsence('ann', 'dora'))).to.equal('not_a_candidate');
      expect(voteRefusalCode(run, 'dora', createAbsence('eve', 'dora'))).to.equal('not_a_candidate');
      run.now += 10;
      expect(
        castVote(run, 'dora', createAbsence('ann', 'dora')).approval?.delegations.map(({ to, voteId }) => [
          to,
          voteId === undefined,
        ]),
      ).to.deep.equal([
        ['eve', true],
        ['dora', false],
      ]);
    });

    it('should refuse the substitute of an excluded approver, and a substitute who is excluded', async () => {
      const run = await startAndReachApproval(
        approvalModel('<zeebe:assignmentDefinition candidateUsers="starter,ann"/>'),
      );
      expect(voteRefusalCode(run, 'dora', createAbsence('starter', 'dora'))).to.equal('not_a_candidate');
      expect(voteRefusalCode(run, 'starter', createAbsence('ann', 'starter'))).to.equal('self_approval');
      expect(
        run.do({
          type: 'approval.vote',
          actor: { type: 'service', id: 'bot', name: null },
          approvalId: run.wait('ok', 'approval').approval.approvalId,
          decision: 'approve',
          comment: null,
          expectedDigest: null,
          expectedRound: null,
          absences: [createAbsence('ann', 'bot')],
        }).refusal?.code,
      ).to.equal('service_cannot_decide');
    });
  });

  it('should exclude every uploader of the evidence, even if another user uploads the same file again', async () => {
    const run = await startAndReachApproval(approvalModel('', { 'approval.evidence': 'plan.md' }));
    const upload = (id: string) =>
      run.do({
        type: 'artifact.record',
        actor: user(id),
        artifactId: id,
        name: 'plan.md',
        size: 1,
        sha256: 'aa',
        contentType: 'text/plain',
      });
    upload('eve');
    upload('mallory');
    expect(run.vote('ok', 'approve', user('eve')).refusal?.code).to.equal('self_approval');
    expect(run.vote('ok', 'approve', user('mallory')).refusal?.code).to.equal('self_approval');
    expect(run.vote('ok', 'approve').refusal).to.equal(null);
  });

  it('should never approve when the due date expires', async () => {
    const dueDate = '<zeebe:taskSchedule dueDate="2026-01-02T00:00:00Z"/>';
    const run = await startAndReachApproval(approvalModel(dueDate, { 'approval.onTimeout': 'reject' }));
    run.do({ type: 'timer.fire', actor: user('clock'), timerId: run.wait('ok', 'timer').timerId });
    expect(run.state?.outcome).to.equal('rejected');
    expect(run.requests.flatMap((r) => (r.type === 'approval.change' ? [r.change.status] : []))).to.deep.equal([
      'expired',
    ]);

    const expiredRun = await startAndReachApproval(approvalModel(dueDate, { 'approval.onTimeout': 'incident' }));
    expiredRun.do({ type: 'timer.fire', actor: user('clock'), timerId: expiredRun.wait('ok', 'timer').timerId });
    expect(expiredRun.project()).to.include({ status: 'failed', incidents: 1, pendingApprovals: 0 });
    expiredRun.do({ type: 'recover', actor: user('op'), steps: null, variables: null, comment: null });
    expect(expiredRun.project()).to.include({ status: 'blocked', pendingApprovals: 1 });
  });

  it('should refuse to write the result variable except by an approval decision', async () => {
    const run = await TestRun.of(approvalModel());
    expect(run.start({ approval: { decision: 'approve' } }).refusal?.code).to.equal('result_variable_reserved');
    const approvedRun = await startAndReachApproval(approvalModel());
    approvedRun.vote('ok', 'approve');
    approvedRun.complete('after', { approval: { decision: 'approve' } });
    expect(approvedRun.project().error?.code).to.equal('result_variable_reserved');
    const recoverResult = await approvedRun.do({
      type: 'recover',
      actor: user('op'),
      steps: null,
      variables: { approval: 1 },
      comment: null,
    });
    expect(recoverResult.refusal?.code).to.equal('result_variable_reserved');
  });

  it('should exclude the user who edited variables during a recovery', async () => {
    const run = await TestRun.of(approvalModel());
    run.start();
    run.fail('agent', false);
    run.do({ type: 'recover', actor: user('op'), steps: null, variables: { amount: 5 }, comment: null });
    run.complete('agent');
    expect(run.vote('ok', 'approve', user('op')).refusal?.code).to.equal('self_approval');
  });
});
