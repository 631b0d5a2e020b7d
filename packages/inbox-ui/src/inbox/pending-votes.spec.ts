import { ConnectionError, ProblemError, type Approval } from '@countersign/contract';
import { expect } from 'chai';
import { PendingVotes, type OutboxClock } from './pending-votes.js';
import { anApproval, digestOf } from './inbox.spec.support.js';
import type { DecisionDraft } from './pending-vote.js';

/** A clock that the test advances. */
class TestClock implements OutboxClock {
  private time = 1_000;
  private timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((each) => each !== timer));
  }

  pass(ms: number): void {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { run } of due) run();
  }
}

const approve: DecisionDraft = { decision: 'approve', comment: '' };
const problem = (status: number, code: string): ProblemError =>
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
  let counted: Approval[];
  let pendingVotes: PendingVotes;
  let answer: () => Promise<Approval>;

  beforeEach(() => {
    clock = new TestClock();
    sent = [];
    counted = [];
    answer = async () => anApproval({ status: 'approved' });
    let keys = 0;
    pendingVotes = new PendingVotes({
      send: (approvalId, body, key) => {
        sent.push({ approvalId, body, key });
        return answer();
      },
      onCounted: (_, approval) => counted.push(approval),
      newIdempotencyKey: () => `key-${++keys}`,
      clock,
    });
  });

  const states = (): string[] => pendingVotes.entries().map(({ state }) => state);
  /** Waits until the sent requests have been answered. */
  // eslint-disable-next-line no-restricted-syntax -- a turn of the event loop, not a delay
  const answered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

  it('should send a vote with the displayed digest and round after the undo window', async () => {
    // given
    pendingVotes.put(anApproval({ round: 2 }), { decision: 'reject', comment: ' No. ' });

    // when
    clock.pass(4_999);
    expect([sent.length, states(), pendingVotes.busy]).to.deep.equal([0, ['grace'], true]);
    clock.pass(1);
    expect(states()).to.deep.equal(['sending']);
    await answered();

    // then
    expect(sent).to.deep.equal([
      {
        approvalId: 'approval-1',
        key: 'key-1',
        body: { decision: 'reject', comment: 'No.', expectedDigest: digestOf('b'), round: 2 },
      },
    ]);
    expect([counted.length, states(), pendingVotes.busy]).to.deep.equal([1, [], false]);
  });

  it('should send a vote immediately that a signing dialog confirms, and repeat it without another dialog', async () => {
    // given
    answer = () => Promise.reject(new ConnectionError(undefined));
    pendingVotes.put(anApproval(), approve, true);

    // then
    expect([sent.length, states(), pendingVotes.entries()[0]?.signs, pendingVotes.undo()]).to.deep.equal([
      1,
      ['sending'],
      true,
      undefined,
    ]);
    await answered();
    expect(states()).to.deep.equal(['unsettled']);
    pendingVotes.settle('approval-1');
    expect([states(), pendingVotes.entries()[0]?.signs]).to.deep.equal([['sending'], false]);
    await answered();
    expect(sent.map(({ key }) => key)).to.deep.equal(['key-1', 'key-1']);
  });

  it('should not send a vote that was undone', () => {
    pendingVotes.put(anApproval(), approve);
    clock.pass(4_000);
    expect(pendingVotes.undo()?.draft).to.equal(approve);
    clock.pass(60_000);
    expect([sent, states(), pendingVotes.undo()]).to.deep.equal([[], [], undefined]);
  });

  it('should undo the newest vote first, or the vote that is named', () => {
    for (const approvalId of ['a', 'b', 'c', 'd']) pendingVotes.put(anApproval({ approvalId }), approve);
    expect(pendingVotes.undo()?.approval.approvalId).to.equal('d');
    expect(pendingVotes.undo('a')?.approval.approvalId).to.equal('a');
    clock.pass(60_000);
    expect(sent.map(({ approvalId }) => approvalId)).to.deep.equal(['b', 'c']);
  });

  it('should neither undo a vote that is being sent nor accept a second vote on the approval', async () => {
    pendingVotes.put(anApproval(), approve);
    clock.pass(5_000);
    expect(pendingVotes.undo()).to.equal(undefined);
    pendingVotes.put(anApproval(), { decision: 'reject', comment: '' });
    clock.pass(5_000);
    await answered();
    expect(sent).to.have.length(1);
  });

  it('should restart the undo window when the decision changes', () => {
    pendingVotes.put(anApproval(), approve);
    clock.pass(4_000);
    pendingVotes.put(anApproval(), { decision: 'request_changes', comment: 'More.' });
    clock.pass(4_000);
    expect(sent).to.deep.equal([]);
    clock.pass(1_000);
    expect(sent.map(({ body, key }) => [(body as DecisionDraft).decision, key])).to.deep.equal([
      ['request_changes', 'key-2'],
    ]);
  });

  it('should repeat an unconfirmed vote under the same idempotency key only on request', async () => {
    // given
    answer = async () => {
      throw new ConnectionError(new Error('reset'));
    };
    pendingVotes.put(anApproval(), approve);
    clock.pass(5_000);
    await answered();
    expect([states(), pendingVotes.busy, sent.length]).to.deep.equal([['unsettled'], true, 1]);
    clock.pass(600_000);
    pendingVotes.dismiss('approval-1');
    expect([states(), sent.length]).to.deep.equal([['unsettled'], 1]);

    // when
    answer = async () => anApproval({ status: 'approved' });
    pendingVotes.settle('approval-1');
    await answered();

    // then
    expect(sent.map(({ key }) => key)).to.deep.equal(['key-1', 'key-1']);
    expect([states(), counted.length]).to.deep.equal([[], 1]);
  });

  it('should distinguish changed approvals, refused votes and unconfirmed votes', async () => {
    const after = async (error: Error): Promise<string[]> => {
      pendingVotes.dismiss('approval-1');
      answer = async () => {
        throw error;
      };
      pendingVotes.put(anApproval(), approve);
      clock.pass(5_000);
      await answered();
      return states();
    };
    expect(await after(problem(409, 'stale_digest'))).to.deep.equal(['changed']);
    expect(await after(problem(409, 'stale_round'))).to.deep.equal(['changed']);
    expect(await after(problem(409, 'approval_already_resolved'))).to.deep.equal(['changed']);
    expect(await after(problem(403, 'self_approval'))).to.deep.equal(['refused']);
    expect(await after(problem(503, 'service_unavailable'))).to.deep.equal(['unsettled']);
  });

  it('should keep a vote unconfirmed if the server does not accept the repeated request', async () => {
    // given
    answer = () => Promise.reject(new ConnectionError(new Error('reset')));
    pendingVotes.put(anApproval(), approve);
    clock.pass(5_000);
    await answered();

    // when
    for (const error of [
      problem(401, 'invalid_token'),
      problem(403, 'forbidden'),
      problem(502, 'unexpected_response'),
    ]) {
      answer = () => Promise.reject(error);
      pendingVotes.settle('approval-1');
      await answered();

      // then
      expect(states(), error.code).to.deep.equal(['unsettled']);
    }
  });

  it('should list unconfirmed votes from before a reload and send or dismiss them only on request', async () => {
    // given
    const forgotten: string[] = [];
    const lost = (approvalId: string) => ({
      approval: anApproval({ approvalId }),
      draft: approve,
      key: `key-of-${approvalId}`,
    });
    pendingVotes.put(anApproval({ approvalId: 'a' }), approve);

    // when
    pendingVotes.restore([lost('a'), lost('b'), lost('c')], (key) => forgotten.push(key));
    expect([states(), pendingVotes.entries()[0]?.key, sent]).to.deep.equal([
      ['grace', 'unsettled', 'unsettled'],
      'key-1',
      [],
    ]);
    pendingVotes.undo();
    clock.pass(600_000);
    expect([pendingVotes.busy, sent], 'it is kept elsewhere').to.deep.equal([false, []]);
    pendingVotes.settle('b');
    await answered();
    pendingVotes.dismiss('c');

    // then
    expect(sent.map(({ approvalId, key }) => [approvalId, key])).to.deep.equal([['b', 'key-of-b']]);
    expect([states(), forgotten]).to.deep.equal([[], ['key-of-c']]);
  });

  it('should notify subscribers of each change and replace the list only on a change', () => {
    let told = 0;
    const leave = pendingVotes.subscribe(() => (told += 1));
    const before = pendingVotes.entries();
    pendingVotes.put(anApproval(), approve);
    expect([told, pendingVotes.entries() === before, pendingVotes.entries() === pendingVotes.entries()]).to.deep.equal([
      1,
      false,
      true,
    ]);
    leave();
    pendingVotes.undo();
    expect(told).to.equal(1);
  });
});
