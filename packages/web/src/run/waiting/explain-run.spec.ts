import type { Approval, RunDetail } from '@countersign/contract';
import { expect } from 'chai';
import { createRun, createStep, createWait, timeAfterStart } from '../run-page.spec.support.js';
import { explainRun, type RunExplanation, type RunContext } from './explain-run.js';

const APPROVAL = {
  approvalId: 'approval-1',
  runId: 'run-1',
  title: 'Release 1.4',
  status: 'pending',
  candidateUsers: [],
  candidateGroups: ['release-managers'],
  quorum: { required: 1, approvals: 0 },
  votes: [],
} as unknown as Approval;

function explain(run: Parameters<typeof createRun>[0], context: Partial<RunContext> = {}): RunExplanation {
  return explainRun({
    run: createRun(run),
    approvals: [],
    stuck: false,
    now: Date.parse(timeAfterStart(120_000)),
    ...context,
  });
}

describe('explainRun', () => {
  it('should name the approvers and the due time of an approval and link to the approval', () => {
    // given
    const run: Partial<RunDetail> = {
      status: 'blocked',
      steps: [createStep('ok', { status: 'waiting' })],
      waitingFor: [createWait('ok', { kind: 'approval', dueAt: timeAfterStart(3_720_000) })],
    };

    // then
    const explanation = explain(run, { approvals: [APPROVAL] });
    expect(explanation).to.deep.equal({
      tone: 'waiting',
      text: 'Waiting for the release-managers group to decide on “Release 1.4”, due in 1 h.',
      actions: [{ kind: 'approval', approvalId: 'approval-1' }],
    });
    expect(explain(run).text).to.equal('Waiting for someone to decide on “ok”, due in 1 h.');
    const overdue = explain(
      { ...run, waitingFor: [createWait('ok', { kind: 'approval', dueAt: timeAfterStart(0) })] },
      { approvals: [{ ...APPROVAL, candidateGroups: [], quorum: { required: 2, approvals: 1 } }] },
    );
    expect(overdue.text).to.equal(
      'Waiting for any approver to decide on “Release 1.4” (1 of 2 approvals), overdue by 2 min.',
    );
  });

  it('should name two approvals together only if the same people decide on both', () => {
    // given
    const run: Partial<RunDetail> = {
      status: 'blocked',
      steps: [createStep('label', { status: 'waiting' }), createStep('comment', { status: 'waiting' })],
      waitingFor: [
        createWait('label', { kind: 'approval', approvalId: 'label' }),
        createWait('comment', { kind: 'approval', approvalId: 'comment' }),
      ],
    };
    const label = { ...APPROVAL, approvalId: 'label', title: 'Add a label' };
    const comment = { ...APPROVAL, approvalId: 'comment', title: 'Comment' };

    // then
    expect(explain(run, { approvals: [label, comment] }).text).to.equal(
      'Waiting for the release-managers group to decide on “Add a label” and “Comment”.',
    );
    expect(explain(run, { approvals: [label, { ...comment, candidateGroups: ['support'] }] }).text).to.equal(
      'Waiting for the release-managers group to decide on “Add a label”, and for the support group to decide on “Comment”.',
    );
    const quorum = { required: 2, approvals: 1 };
    expect(explain(run, { approvals: [label, { ...comment, quorum }] }).text).to.equal(
      'Waiting for the release-managers group to decide on “Add a label”, and for the release-managers group to decide on “Comment” (1 of 2 approvals).',
    );
  });

  it('should name the agent that asks a question', () => {
    const { text, actions } = explain({
      status: 'blocked',
      steps: [createStep('triage', { status: 'waiting', agentName: 'triager' })],
      waitingFor: [createWait('triage', { kind: 'question' })],
    });
    expect(text).to.equal('Waiting for an answer to the question of triager in “triage”.');
    expect(actions).to.deep.equal([{ kind: 'question', questionId: 'question-1' }]);
  });

  it('should name the awaited message and its correlation key', () => {
    const { text, actions } = explain({
      status: 'blocked',
      steps: [createStep('pay', { status: 'waiting' })],
      waitingFor: [
        createWait('pay', { kind: 'event', name: 'Payment', messageName: 'order.paid', correlationKey: 'A-17' }),
      ],
    });
    expect(text).to.equal('Waiting for the message order.paid for A-17 at “Payment”.');
    expect(actions).to.deep.equal([{ kind: 'deliver', messageName: 'order.paid', correlationKey: 'A-17' }]);
  });

  it('should show the time until a timer is due', () => {
    expect(
      explain({
        status: 'blocked',
        steps: [createStep('pause', { status: 'waiting' })],
        waitingFor: [createWait('pause', { kind: 'timer', dueAt: timeAfterStart(150_000) })],
      }).text,
    ).to.equal('Waiting for the timer of “pause”, in 30 s.');
  });

  it('should name awaited signals and conditions', () => {
    const steps = [createStep('a', { status: 'waiting' })];
    expect(
      explain({ status: 'blocked', steps, waitingFor: [createWait('a', { kind: 'event', signalName: 'go' })] }).text,
    ).to.equal('Waiting for the signal go at “a”.');
    expect(explain({ status: 'blocked', steps, waitingFor: [createWait('a', { kind: 'event' })] }).text).to.equal(
      'Waiting for the condition of “a” to be met.',
    );
  });

  it('should name the wait of the child run and link to the child run', () => {
    // given
    const waitingFor = [createWait('ok', { kind: 'approval', stepId: 'step-of-child-run', name: 'Approve it' })];

    // when
    const { text, actions } = explain({
      status: 'blocked',
      steps: [createStep('call', { status: 'active', calledRunId: 'run-2' })],
      waitingFor,
    });

    // then
    expect(text).to.equal(
      'Waiting for the child run of “call”, which is waiting for someone to decide on “Approve it”.',
    );
    expect(actions).to.deep.equal([{ kind: 'run', runId: 'run-2' }]);
  });

  it('should link to the child run if the child run waits for nothing', () => {
    const waitingFor = [createWait('call', { kind: 'event', childRunId: 'run-2' })];
    expect(
      explain({ status: 'active', steps: [createStep('call', { status: 'active', calledRunId: 'run-2' })], waitingFor })
        .actions,
    ).to.deep.equal([{ kind: 'run', runId: 'run-2' }]);
  });

  it('should mention waits for people first and count the others', () => {
    // given
    const steps = [
      createStep('pay', { status: 'waiting' }),
      createStep('ok', { status: 'waiting' }),
      createStep('pause', { status: 'waiting' }),
    ];
    const timer = createWait('pause', { kind: 'timer', dueAt: timeAfterStart(150_000) });
    const approval = createWait('ok', { kind: 'approval' });

    // then
    expect(explain({ status: 'blocked', steps, waitingFor: [timer, approval] }).text).to.equal(
      'Waiting for someone to decide on “ok”, and for the timer of “pause”, in 30 s.',
    );
    const threeWaits = explain({
      status: 'active',
      steps,
      waitingFor: [timer, createWait('pay', { kind: 'event', messageName: 'paid', correlationKey: null }), approval],
    });
    expect(threeWaits.text).to.equal(
      'Waiting for someone to decide on “ok”, and for 2 more events or decisions; other steps are in progress.',
    );
    expect(threeWaits.actions.map(({ kind }) => kind)).to.deep.equal(['approval', 'deliver']);
    expect(threeWaits.tone).to.equal('active');
  });

  it('should mention failed steps first and offer to recover the run', () => {
    // given
    const error = { code: 'declined', message: 'The card was declined.', retryable: false };
    const steps = [
      createStep('charge', { name: 'Charge', status: 'failed', error }),
      createStep('ship', { status: 'failed', error }),
      createStep('pause', { status: 'waiting' }),
    ];

    // when
    const { tone, text, actions } = explain({
      status: 'blocked',
      incidents: 2,
      recoverable: true,
      steps,
      waitingFor: [createWait('pause', { kind: 'timer', dueAt: timeAfterStart(150_000) })],
    });

    // then
    expect(tone).to.equal('failed');
    expect(text).to.equal(
      '“Charge” failed: The card was declined. 1 other step failed as well. The run is also waiting for the timer of “pause”, in 30 s.',
    );
    expect(actions).to.deep.equal([{ kind: 'recover' }, { kind: 'step', stepId: 'charge' }]);
  });

  it('should name the active step, its agent and its duration', () => {
    const startedAt = timeAfterStart(60_000);
    const outer = createStep('part', { type: 'subProcess', status: 'active' });
    expect(explain({ steps: [outer, createStep('ship', { status: 'active', startedAt })] }).text).to.equal(
      '“ship” has been in progress for 1 min.',
    );
    expect(
      explain({
        steps: [
          createStep('ship', { status: 'active', startedAt, agentName: 'shipper' }),
          createStep('bill', { status: 'active', startedAt }),
        ],
      }).text,
    ).to.equal('“bill” has been in progress for 1 min; 1 other step is in progress.');
    expect(
      explain({ steps: [createStep('ship', { status: 'active', startedAt, agentName: 'shipper' })] }).text,
    ).to.equal('shipper has been working on “ship” for 1 min.');
    expect(explain({}).text).to.equal('The next step is about to start.');
  });

  it('should report the retry of a step and its cause', () => {
    expect(
      explain({
        steps: [
          createStep('ship', {
            status: 'active',
            attempt: 2,
            error: { code: 'timeout', message: '', retryable: true },
          }),
        ],
      }).text,
    ).to.equal('Retrying “ship” (attempt 2) after a failure: timeout.');
  });

  it('should report a stuck run', () => {
    expect(explain({ steps: [createStep('ship', { status: 'active' })] }, { stuck: true })).to.deep.include({
      tone: 'failed',
      text: 'No progress for 1 min, and the run is not waiting for anything: it may be stuck. Check that a worker handles its step.',
    });
  });

  it('should report the cancellation and the person who cancelled the run', () => {
    expect(explain({ cancelling: true }).text).to.equal('Being cancelled: completed steps are being compensated.');
    expect(
      explain({ cancelling: true, incidents: 1 }, { cancellation: { by: 'otto', reason: 'Wrong branch' } }),
    ).to.deep.equal({
      tone: 'active',
      text: 'Being cancelled by otto: “Wrong branch”: completed steps are being compensated.',
      actions: [{ kind: 'recover' }],
    });
  });

  it('should report the outcome of a run and its cause', () => {
    // given
    const completedAt = timeAfterStart(180_000);
    const votes = [
      { decision: 'approve', by: 'ada', byName: null, comment: null },
      { decision: 'reject', by: 'bob', byName: 'Bob', comment: 'Not today.' },
    ] as unknown as Approval['votes'];

    // then
    expect(explain({ outcome: 'completed', completedAt })).to.deep.equal({
      tone: 'done',
      text: 'Completed in 3 min.',
      actions: [],
    });
    expect(
      explain({ outcome: 'cancelled', completedAt }, { cancellation: { by: 'otto', reason: 'Wrong branch' } }).text,
    ).to.equal('Cancelled by otto: “Wrong branch”.');
    expect(explain({ outcome: 'cancelled', completedAt }).text).to.equal('Cancelled.');
    expect(
      explain({ outcome: 'failed', completedAt, error: { code: 'no_stock', message: 'Sold out.', elementId: null } })
        .text,
    ).to.equal('Failed: Sold out.');
    const rejected = explain(
      { outcome: 'rejected', completedAt },
      { approvals: [{ ...APPROVAL, status: 'rejected', votes }] },
    );
    expect(rejected).to.deep.equal({
      tone: 'failed',
      text: 'Bob rejected “Release 1.4”: “Not today”.',
      actions: [{ kind: 'approval', approvalId: 'approval-1' }],
    });
    expect(explain({ outcome: 'rejected', completedAt }).text).to.equal(
      'Rejected: an approval in a child run was rejected.',
    );
  });
});
