import { ConnectionError, ProblemError, type Approval } from '@countersign/contract';
import { expect } from 'chai';
import { PendingVotes, type VoteClock } from './pending-votes.js';
import { createApproval, createDigest } from './inbox.spec.support.js';
import type { DecisionDraft } from './pending-vote.js';

/** A clock that the test advances. */
class TestClock implements VoteClock {
  private time = 1_000;
  private timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  schedule(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((each) => each !== timer));
  }

  advance(ms: number): void {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
  }
}

const approve: DecisionDraft = { decision: 'approve', comment: '' };
const createProblemError = (status: number, code: string): ProblemError =>
  new ProblemError({
    type: 'about:blank',
    title: code,
    status,
    detail: null,
    code,
    instance: null,
    traceId: 't',
    retryable: false,
    errors: [],
  });

describe('PendingVotes', () => {
  let clock: TestClock;
  let sent: { approvalId: string; body: object; key: string }[];
  let countedApprovals: (Approval | undefined)[];
  let pendingVotes: PendingVotes;
  let respond: () => Promise<Approval>;

  beforeEach(() => {
    clock = new TestClock();
    sent = [];
    countedApprovals = [];
    respond = async () => createApproval({ status: 'approved' });
    let keyCount = 0;
    pendingVotes = new PendingVotes({
      send: (approvalId, body, key) => {
        sent.push({ approvalId, body, key });
        return respond();
      },
      onCounted: (_, approval) => countedApprovals.push(approval),
      newIdempotencyKey: () => `key-${++keyCount}`,
      clock,
    });
  });

  const listStates = (): string[] => pendingVotes.entries().map(({ state }) => state);
  /** Waits until the responses to the sent requests have been processed. */
  // eslint-disable-next-line no-restricted-syntax -- a turn of the event loop, not a delay
  const waitForResponses = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it('should send a vote with the displayed digest and round after the undo window', async () => {
    // given
    pendingVotes.add(createApproval({ round: 2 }), { decision: 'reject', comment: ' Wrong version. ' });

    // when
    clock.advance(4_999);
    expect([sent.length, listStates(), pendingVotes.hasUnsavedVotes]).to.deep.equal([0, ['undoable'], true]);
    clock.advance(1);
    expect(listStates()).to.deep.equal(['sending']);
    await waitForResponses();

    // then
    expect(sent).to.deep.equal([
      {
        approvalId: 'approval-1',
        key: 'key-1',
        body: { decision: 'reject', comment: 'Wrong version.', expectedDigest: createDigest('b'), round: 2 },
      },
    ]);
    expect([countedApprovals.length, listStates(), pendingVotes.hasUnsavedVotes]).to.deep.equal([1, [], false]);
  });

  it('should immediately send a vote that is confirmed in a signing dialog, and retry it without another dialog', async () => {
    // given
    respond = () => Promise.reject(new ConnectionError(undefined));
    pendingVotes.add(createApproval(), approve, true);

    // then
    expect([
      sent.length,
      listStates(),
      pendingVotes.entries()[0]?.opensSigningDialog,
      pendingVotes.undo(),
    ]).to.deep.equal([1, ['sending'], true, undefined]);
    await waitForResponses();
    expect(listStates()).to.deep.equal(['unconfirmed']);
    pendingVotes.retry('approval-1');
    expect([listStates(), pendingVotes.entries()[0]?.opensSigningDialog]).to.deep.equal([['sending'], false]);
    await waitForResponses();
    expect(sent.map(({ key }) => key)).to.deep.equal(['key-1', 'key-1']);
  });

  it('should not send a vote that was undone', () => {
    pendingVotes.add(createApproval(), approve);
    clock.advance(4_000);
    expect(pendingVotes.undo()?.draft).to.equal(approve);
    clock.advance(60_000);
    expect([sent, listStates(), pendingVotes.undo()]).to.deep.equal([[], [], undefined]);
  });

  it('should undo the newest vote, or the vote on the given approval', () => {
    for (const approvalId of ['a', 'b', 'c', 'd']) pendingVotes.add(createApproval({ approvalId }), approve);
    expect(pendingVotes.undo()?.approval.approvalId).to.equal('d');
    expect(pendingVotes.undo('a')?.approval.approvalId).to.equal('a');
    clock.advance(60_000);
    expect(sent.map(({ approvalId }) => approvalId)).to.deep.equal(['b', 'c']);
  });

  it('should neither undo a vote that is being sent nor accept a second vote on the approval', async () => {
    pendingVotes.add(createApproval(), approve);
    clock.advance(5_000);
    expect(pendingVotes.undo()).to.equal(undefined);
    pendingVotes.add(createApproval(), { decision: 'reject', comment: '' });
    clock.advance(5_000);
    await waitForResponses();
    expect(sent).to.have.length(1);
  });

  it('should restart the undo window when the decision changes', () => {
    pendingVotes.add(createApproval(), approve);
    clock.advance(4_000);
    pendingVotes.add(createApproval(), { decision: 'request_changes', comment: 'Add the release notes.' });
    clock.advance(4_000);
    expect(sent).to.deep.equal([]);
    clock.advance(1_000);
    expect(sent.map(({ body, key }) => [(body as DecisionDraft).decision, key])).to.deep.equal([
      ['request_changes', 'key-2'],
    ]);
  });

  it('should repeat an unconfirmed vote under the same idempotency key only on request', async () => {
    // given
    respond = async () => {
      throw new ConnectionError(new Error('reset'));
    };
    pendingVotes.add(createApproval(), approve);
    clock.advance(5_000);
    await waitForResponses();
    expect([listStates(), pendingVotes.hasUnsavedVotes, sent.length]).to.deep.equal([['unconfirmed'], true, 1]);
    clock.advance(600_000);
    pendingVotes.dismiss('approval-1');
    expect([listStates(), sent.length]).to.deep.equal([['unconfirmed'], 1]);

    // when
    respond = async () => createApproval({ status: 'approved' });
    pendingVotes.retry('approval-1');
    await waitForResponses();

    // then
    expect(sent.map(({ key }) => key)).to.deep.equal(['key-1', 'key-1']);
    expect([listStates(), countedApprovals.length]).to.deep.equal([[], 1]);
  });

  it('should distinguish changed approvals, refused votes and unconfirmed votes', async () => {
    const listStatesAfterError = async (error: Error): Promise<string[]> => {
      pendingVotes.dismiss('approval-1');
      respond = async () => {
        throw error;
      };
      pendingVotes.add(createApproval(), approve);
      clock.advance(5_000);
      await waitForResponses();
      return listStates();
    };
    expect(await listStatesAfterError(createProblemError(409, 'stale_digest'))).to.deep.equal(['changed']);
    expect(await listStatesAfterError(createProblemError(409, 'stale_round'))).to.deep.equal(['changed']);
    expect(await listStatesAfterError(createProblemError(409, 'approval_already_resolved'))).to.deep.equal(['changed']);
    expect(await listStatesAfterError(createProblemError(403, 'self_approval'))).to.deep.equal(['refused']);
    expect(await listStatesAfterError(createProblemError(503, 'service_unavailable'))).to.deep.equal(['unconfirmed']);
  });

  it('should count an unconfirmed vote that was executed, although its response was erased', async () => {
    // given
    respond = () => Promise.reject(new ConnectionError(new Error('reset')));
    pendingVotes.add(createApproval(), approve);
    clock.advance(5_000);
    await waitForResponses();

    // when
    respond = () => Promise.reject(createProblemError(410, 'response_erased'));
    pendingVotes.retry('approval-1');
    await waitForResponses();

    // then
    expect([listStates(), countedApprovals]).to.deep.equal([[], [undefined]]);
  });

  it('should keep a vote unconfirmed if the server does not accept the repeated request', async () => {
    // given
    respond = () => Promise.reject(new ConnectionError(new Error('reset')));
    pendingVotes.add(createApproval(), approve);
    clock.advance(5_000);
    await waitForResponses();

    // when
    for (const error of [
      createProblemError(401, 'invalid_token'),
      createProblemError(403, 'forbidden'),
      createProblemError(502, 'unexpected_response'),
    ]) {
      respond = () => Promise.reject(error);
      pendingVotes.retry('approval-1');
      await waitForResponses();

      // then
      expect(listStates(), error.code).to.deep.equal(['unconfirmed']);
    }
  });

  it('should list unconfirmed votes from before a reload and send or dismiss them only on request', async () => {
    // given
    const forgottenKeys: string[] = [];
    const createUnconfirmedVote = (approvalId: string) => ({
      approval: createApproval({ approvalId }),
      draft: approve,
      key: `key-of-${approvalId}`,
    });
    pendingVotes.add(createApproval({ approvalId: 'a' }), approve);

    // when
    pendingVotes.restore([createUnconfirmedVote('a'), createUnconfirmedVote('b'), createUnconfirmedVote('c')], (key) =>
      forgottenKeys.push(key),
    );
    expect([listStates(), pendingVotes.entries()[0]?.key, sent]).to.deep.equal([
      ['undoable', 'unconfirmed', 'unconfirmed'],
      'key-1',
      [],
    ]);
    pendingVotes.undo();
    clock.advance(600_000);
    expect([pendingVotes.hasUnsavedVotes, sent], 'the restored votes are stored elsewhere').to.deep.equal([false, []]);
    pendingVotes.retry('b');
    await waitForResponses();
    pendingVotes.dismiss('c');

    // then
    expect(sent.map(({ approvalId, key }) => [approvalId, key])).to.deep.equal([['b', 'key-of-b']]);
    expect([listStates(), forgottenKeys]).to.deep.equal([[], ['key-of-c']]);
  });

  it('should notify subscribers of each change and replace the list only on a change', () => {
    let notificationCount = 0;
    const unsubscribe = pendingVotes.subscribe(() => (notificationCount += 1));
    const before = pendingVotes.entries();
    pendingVotes.add(createApproval(), approve);
    expect([
      notificationCount,
      pendingVotes.entries() === before,
      pendingVotes.entries() === pendingVotes.entries(),
    ]).to.deep.equal([1, false, true]);
    unsubscribe();
    pendingVotes.undo();
    expect(notificationCount).to.equal(1);
  });
});
