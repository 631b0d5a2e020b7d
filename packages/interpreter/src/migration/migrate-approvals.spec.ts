import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun, user } from '../interpreter.spec.support.js';
import { boundaryTimer, migrateTo } from './migrate.spec.support.js';

const sequence = (...ids: string[]): string => flows(...ids.slice(1).map((id, index) => `${ids[index] ?? ''} > ${id}`));
const quorum = { 'approval.quorum': '2' };

describe('advance(): approvals in a migration', () => {
  it('should open a new round without the previous votes, because the subject contains the workflow version', async () => {
    // given a quorum of two, with one vote cast
    const elements =
      start +
      approval('ok', '', quorum) +
      boundaryTimer('slow', 'ok', 'PT1H') +
      end +
      sequence('start', 'ok', 'end') +
      flows('slow > end');
    const run = await TestRun.of(elements);
    run.start({ amount: 1 });
    run.vote('ok', 'approve', user('ann'));
    const { approval: previousApproval } = run.wait('ok', 'approval');
    const { timerId } = run.wait('ok', 'timer');
    expect(previousApproval.votes).to.have.length(1);

    // when
    const { run: migratedRun, result } = await migrateTo(run, elements);

    // then
    const { approval: newApproval } = migratedRun.wait('ok', 'approval');
    expect(newApproval).to.deep.include({ round: 2, previousApprovalId: previousApproval.approvalId, votes: [] });
    expect(newApproval.digest).to.not.equal(previousApproval.digest);
    expect(result.events.map((event) => event.type)).to.deep.equal([
      'run.migrated',
      'step.migrated',
      'approval.withdrawn',
      'approval.requested',
    ]);
    expect(result.events[2]?.data).to.include({ approvalId: previousApproval.approvalId, reason: 'run_migrated' });
    expect(migratedRun.wait('ok', 'timer').timerId).to.equal(timerId);
    const lateVote = migratedRun.do({
      type: 'approval.vote',
      actor: user('bob'),
      approvalId: previousApproval.approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: previousApproval.digest,
      expectedRound: 1,
    });
    expect(lateVote.refusal?.code).to.equal('approval_already_resolved');
    migratedRun.vote('ok', 'approve', user('ann'));
    migratedRun.vote('ok', 'approve', user('bob'));
    expect(migratedRun.state?.outcome).to.equal('completed');
  });

  it('should take title, candidates and quorum from the target version, and continue the round number', async () => {
    const run = await TestRun.of(start + approval('ok') + end + sequence('start', 'ok', 'end'));
    run.start();
    const candidates = '<zeebe:assignmentDefinition candidateUsers="eve,kim"/>';
    const { run: migratedRun } = await migrateTo(
      run,
      start + approval('yes', candidates, quorum) + end + sequence('start', 'yes', 'end'),
      { ok: 'yes' },
    );
    expect(migratedRun.wait('yes', 'approval').approval).to.deep.include({
      round: 2,
      quorum: 2,
      candidateUsers: ['eve', 'kim'],
      title: 'Approve yes',
    });
  });

  it('should exclude the user who migrated the run', async () => {
    const elements = start + approval('ok') + end + sequence('start', 'ok', 'end');
    const run = await TestRun.of(elements);
    run.start();
    const { run: migratedRun } = await migrateTo(run, elements);
    expect(migratedRun.vote('ok', 'approve', user('otto')).refusal?.code).to.equal('self_approval');
    expect(migratedRun.vote('ok', 'approve', user('ann')).refusal).to.equal(null);
  });

  it('should refuse the migration without any change if the policy denies an active step', async () => {
    // given
    const elements = start + job('work') + end + sequence('start', 'work', 'end');
    const run = await TestRun.of(elements);
    run.start();
    const { policy } = run;
    run.policy = (request) => ({
      ...policy(request),
      decision: request.workflowVersion === 2 ? 'deny' : 'allow',
      rationale: 'Version 2 is not allowed.',
    });

    // when
    const { refusals, result } = await migrateTo(run, elements);

    // then
    expect(refusals).to.deep.equal(['policy_denied work']);
    expect(result.state).to.equal(run.state);
    expect([result.events, result.requests]).to.deep.equal([[], []]);
  });

  it('should refuse the migration if the policy denies a job that is offered again', async () => {
    const run = await TestRun.of(start + job('work') + end + sequence('start', 'work', 'end'));
    run.start();
    const { policy } = run;
    run.policy = (request) => ({ ...policy(request), decision: request.jobType === 'other' ? 'deny' : 'allow' });
    const { refusals, result } = await migrateTo(
      run,
      start + job('work', '', 'other') + end + sequence('start', 'work', 'end'),
      {},
      { claimedJobs: new Set() },
    );
    expect(refusals).to.deep.equal(['policy_denied work']);
    expect(result.state).to.equal(run.state);
  });

  const guardedModel =
    start + job('work') + approval('ok') + job('deploy') + end + sequence('start', 'work', 'ok', 'deploy', 'end');
  const bypasses: Record<
    string,
    { source: string; target: string; mapping: Record<string, string>; refusedElementId: string }
  > = {
    'a step after an approval that is still ahead': {
      source: guardedModel,
      target: guardedModel,
      mapping: { work: 'deploy' },
      refusedElementId: 'work',
    },
    'a step after an approval that only the target has': {
      source: start + job('work') + end + sequence('start', 'work', 'end'),
      target: guardedModel,
      mapping: { work: 'deploy' },
      refusedElementId: 'work',
    },
    'a step after an approval that only the target has, in a loop': {
      source: start + job('work') + end + sequence('start', 'work', 'end'),
      target:
        start +
        job('work') +
        approval('ok') +
        job('deploy') +
        '<bpmn:exclusiveGateway id="again" default="again_end"/>' +
        end +
        flows('start > work', 'work > ok', 'ok > deploy', 'deploy > again', 'again > work: =amount > 9', 'again > end'),
      mapping: { work: 'deploy' },
      refusedElementId: 'work',
    },
    'a step after a conditional approval that only the target has': {
      source: start + job('work') + end + sequence('start', 'work', 'end'),
      target: buildReworkModel('end'),
      mapping: { work: 'deploy' },
      refusedElementId: 'work',
    },
    'a version that requires the approval before the current step': {
      source: guardedModel,
      target:
        start + approval('ok') + job('work') + job('deploy') + end + sequence('start', 'ok', 'work', 'deploy', 'end'),
      mapping: {},
      refusedElementId: 'work',
    },
    'a step after a conditional approval in a loop': {
      source: buildReworkModel(),
      target: buildReworkModel(),
      mapping: { work: 'deploy' },
      refusedElementId: 'work',
    },
  };
  for (const [description, { source, target, mapping, refusedElementId }] of Object.entries(bypasses)) {
    it(`should refuse a migration that bypasses an approval by moving to ${description}`, async () => {
      const run = await TestRun.of(source);
      run.start({ amount: 1 });
      run.fail('work', false);
      expect((await migrateTo(run, target, mapping)).refusals).to.deep.equal([`approval_bypassed ${refusedElementId}`]);
    });
  }

  it('should refuse to map an approval to another approval that exists in both versions', async () => {
    const parallelModel = `${start}<bpmn:parallelGateway id="split"/>${approval('law')}${approval('money')}<bpmn:parallelGateway id="join"/>${end}${flows('start > split', 'split > law', 'split > money', 'law > join', 'money > join', 'join > end')}`;
    const run = await TestRun.of(parallelModel);
    run.start();
    run.vote('money', 'approve');
    expect((await migrateTo(run, parallelModel, { law: 'money' })).refusals).to.include('approval_bypassed law');
    expect((await migrateTo(run, parallelModel)).refusals).to.deep.equal([]);
  });

  it('should accept a target version with fewer approvals', async () => {
    const run = await TestRun.of(guardedModel);
    run.start();
    run.fail('work', false);
    const { refusals } = await migrateTo(
      run,
      start + job('work') + job('deploy') + end + sequence('start', 'work', 'deploy', 'end'),
    );
    expect(refusals).to.deep.equal([]);
  });

  it('should accept a target version with more approvals or with rework after the current step', async () => {
    const run = await TestRun.of(start + job('work') + end + sequence('start', 'work', 'end'));
    run.start();
    run.fail('work', false);
    const { refusals } = await migrateTo(run, buildReworkModel());
    expect(refusals).to.deep.equal([]);
  });
});

/** Builds the model start > work > (ok, if the amount is large; back to work if rejected) > deploy > end. */
function buildReworkModel(rejectionTarget = 'work'): string {
  const gateways = `<bpmn:exclusiveGateway id="much" default="much_merge"/><bpmn:exclusiveGateway id="fine" default="fine_${rejectionTarget}"/><bpmn:exclusiveGateway id="merge"/>`;
  return (
    start +
    job('work') +
    gateways +
    approval('ok') +
    job('deploy') +
    end +
    flows(
      'start > work',
      'work > much',
      'much > ok: =amount > 9',
      'much > merge',
      'ok > fine',
      'fine > merge: =approval.decision = "approve"',
      `fine > ${rejectionTarget}`,
      'merge > deploy',
      'deploy > end',
    )
  );
}
