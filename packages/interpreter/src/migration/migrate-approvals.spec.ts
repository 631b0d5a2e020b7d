import { expect } from 'chai';
import { approval, end, flows, job, start, TestRun, user } from '../interpreter.spec.support.js';
import { boundaryTimer, migrateTo } from './migrate.spec.support.js';

const straight = (...ids: string[]): string => flows(...ids.slice(1).map((id, index) => `${ids[index] ?? ''} > ${id}`));
const quorum = { 'approval.quorum': '2' };

describe('advance(): approvals in a migration', () => {
  it('should open a new round without the previous votes, because the subject contains the workflow version', async () => {
    // given a quorum of two, with one vote cast
    const elements =
      start +
      approval('ok', '', quorum) +
      boundaryTimer('slow', 'ok', 'PT1H') +
      end +
      straight('start', 'ok', 'end') +
      flows('slow > end');
    const run = await TestRun.of(elements);
    run.start({ amount: 1 });
    run.vote('ok', 'approve', user('ann'));
    const { approval: before } = run.wait('ok', 'approval');
    const { timerId } = run.wait('ok', 'timer');
    expect(before.votes).to.have.length(1);

    // when
    const { run: moved, result } = await migrateTo(run, elements);

    // then
    const { approval: after } = moved.wait('ok', 'approval');
    expect(after).to.deep.include({ round: 2, previousApprovalId: before.approvalId, votes: [] });
    expect(after.digest).to.not.equal(before.digest);
    expect(result.events.map((event) => event.type)).to.deep.equal([
      'run.migrated',
      'step.migrated',
      'approval.withdrawn',
      'approval.requested',
    ]);
    expect(result.events[2]?.data).to.include({ approvalId: before.approvalId, reason: 'run_migrated' });
    expect(moved.wait('ok', 'timer').timerId).to.equal(timerId);
    const late = moved.do({
      type: 'approval.vote',
      actor: user('bob'),
      approvalId: before.approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: before.digest,
      expectedRound: 1,
    });
    expect(late.refusal?.code).to.equal('approval_already_resolved');
    moved.vote('ok', 'approve', user('ann'));
    moved.vote('ok', 'approve', user('bob'));
    expect(moved.state?.outcome).to.equal('completed');
  });

  it('should take title, candidates and quorum from the target version, and continue the round number', async () => {
    const run = await TestRun.of(start + approval('ok') + end + straight('start', 'ok', 'end'));
    run.start();
    const candidates = '<zeebe:assignmentDefinition candidateUsers="eve,kim"/>';
    const { run: moved } = await migrateTo(
      run,
      start + approval('yes', candidates, quorum) + end + straight('start', 'yes', 'end'),
      { ok: 'yes' },
    );
    expect(moved.wait('yes', 'approval').approval).to.deep.include({
      round: 2,
      quorum: 2,
      candidateUsers: ['eve', 'kim'],
      title: 'Approve yes',
    });
  });

  it('should exclude the user who migrated the run', async () => {
    const elements = start + approval('ok') + end + straight('start', 'ok', 'end');
    const run = await TestRun.of(elements);
    run.start();
    const { run: moved } = await migrateTo(run, elements);
    expect(moved.vote('ok', 'approve', user('otto')).refusal?.code).to.equal('self_approval');
    expect(moved.vote('ok', 'approve', user('ann')).refusal).to.equal(null);
  });

  it('should refuse the migration without any change if the policy denies an active step', async () => {
    // given
    const elements = start + job('work') + end + straight('start', 'work', 'end');
    const run = await TestRun.of(elements);
    run.start();
    const { policy } = run;
    run.policy = (request) => ({
      ...policy(request),
      decision: request.workflowVersion === 2 ? 'deny' : 'allow',
      rationale: 'not this one',
    });

    // when
    const { refusals, result } = await migrateTo(run, elements);

    // then
    expect(refusals).to.deep.equal(['policy_denied work']);
    expect(result.state).to.equal(run.state);
    expect([result.events, result.requests]).to.deep.equal([[], []]);
  });

  it('should refuse the migration if the policy denies a job that is offered again', async () => {
    const run = await TestRun.of(start + job('work') + end + straight('start', 'work', 'end'));
    run.start();
    const { policy } = run;
    run.policy = (request) => ({ ...policy(request), decision: request.jobType === 'other' ? 'deny' : 'allow' });
    const { refusals, result } = await migrateTo(
      run,
      start + job('work', '', 'other') + end + straight('start', 'work', 'end'),
      {},
      { claimedJobs: new Set() },
    );
    expect(refusals).to.deep.equal(['policy_denied work']);
    expect(result.state).to.equal(run.state);
  });

  const guarded =
    start + job('work') + approval('ok') + job('deploy') + end + straight('start', 'work', 'ok', 'deploy', 'end');
  const bypasses: Record<string, { source: string; target: string; mapping: Record<string, string>; refused: string }> =
    {
      'a step after an approval that is still ahead': {
        source: guarded,
        target: guarded,
        mapping: { work: 'deploy' },
        refused: 'work',
      },
      'a step after an approval that only the target has': {
        source: start + job('work') + end + straight('start', 'work', 'end'),
        target: guarded,
        mapping: { work: 'deploy' },
        refused: 'work',
      },
      'a step after an approval that only the target has, in a loop': {
        source: start + job('work') + end + straight('start', 'work', 'end'),
        target:
          start +
          job('work') +
          approval('ok') +
          job('deploy') +
          '<bpmn:exclusiveGateway id="again" default="again_end"/>' +
          end +
          flows(
            'start > work',
            'work > ok',
            'ok > deploy',
            'deploy > again',
            'again > work: =amount > 9',
            'again > end',
          ),
        mapping: { work: 'deploy' },
        refused: 'work',
      },
      'a step after a conditional approval that only the target has': {
        source: start + job('work') + end + straight('start', 'work', 'end'),
        target: loop('end'),
        mapping: { work: 'deploy' },
        refused: 'work',
      },
      'a version that requires the approval before the current step': {
        source: guarded,
        target:
          start + approval('ok') + job('work') + job('deploy') + end + straight('start', 'ok', 'work', 'deploy', 'end'),
        mapping: {},
        refused: 'work',
      },
      'a step after a conditional approval in a loop': {
        source: loop(),
        target: loop(),
        mapping: { work: 'deploy' },
        refused: 'work',
      },
    };
  for (const [what, { source, target, mapping, refused }] of Object.entries(bypasses)) {
    it(`should refuse to bypass an approval by way of ${what}`, async () => {
      const run = await TestRun.of(source);
      run.start({ amount: 1 });
      run.fail('work', false);
      expect((await migrateTo(run, target, mapping)).refusals).to.deep.equal([`approval_bypassed ${refused}`]);
    });
  }

  it('should refuse to map an approval to another approval that exists in both versions', async () => {
    const both = `${start}<bpmn:parallelGateway id="split"/>${approval('law')}${approval('money')}<bpmn:parallelGateway id="join"/>${end}${flows('start > split', 'split > law', 'split > money', 'law > join', 'money > join', 'join > end')}`;
    const run = await TestRun.of(both);
    run.start();
    run.vote('money', 'approve');
    expect((await migrateTo(run, both, { law: 'money' })).refusals).to.include('approval_bypassed law');
    expect((await migrateTo(run, both)).refusals).to.deep.equal([]);
  });

  it('should accept a target version with fewer approvals', async () => {
    const run = await TestRun.of(guarded);
    run.start();
    run.fail('work', false);
    const { refusals } = await migrateTo(
      run,
      start + job('work') + job('deploy') + end + straight('start', 'work', 'deploy', 'end'),
    );
    expect(refusals).to.deep.equal([]);
  });

  it('should accept a target version with more approvals or with rework after the current step', async () => {
    const run = await TestRun.of(start + job('work') + end + straight('start', 'work', 'end'));
    run.start();
    run.fail('work', false);
    const { refusals } = await migrateTo(run, loop());
    expect(refusals).to.deep.equal([]);
  });
});

/** start > work > (ok, if the amount is large; back to work if rejected) > deploy > end */
function loop(otherwise = 'work'): string {
  const gateways = `<bpmn:exclusiveGateway id="much" default="much_merge"/><bpmn:exclusiveGateway id="fine" default="fine_${otherwise}"/><bpmn:exclusiveGateway id="merge"/>`;
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
      `fine > ${otherwise}`,
      'merge > deploy',
      'deploy > end',
    )
  );
}
