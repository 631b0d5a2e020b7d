import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionError, type Approval } from '@countersign/contract';
import { expect } from 'chai';
import type { Vote } from '../../common/methods.js';
import { problemError } from '../problem-error.spec.support.js';
import { digestOf, DisplayedApprovals } from './displayed-approvals.js';
import { UnconfirmedVoteStore } from './unconfirmed-vote-store.js';
import { Votes } from './votes.js';

const ACCOUNT = { serverId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', subject: 'ada' };
const subject = { kind: 'user_task', inputs: { version: '1.4.0' } } as unknown as Approval['subject'];
const approval = {
  approvalId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
  runId: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e78',
  title: 'Approve the release',
  round: 1,
  subject,
  digest: digestOf(subject),
} as Approval;
const vote: Vote = {
  approvalId: approval.approvalId,
  round: 1,
  subjectDigest: approval.digest,
  decision: 'approve',
  comment: 'Yes.',
  idempotencyKey: 'key-of-1',
};

describe('unconfirmed votes', () => {
  let directory: string;
  let sent: unknown[];
  let answer: () => Promise<Approval>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-votes-'));
    sent = [];
    answer = () => Promise.reject(new ConnectionError(undefined));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const journal = (): UnconfirmedVoteStore =>
    new UnconfirmedVoteStore(
      join(directory, 'votes'),
      { isSafe: () => true, encrypt: (text) => Buffer.from(text), decrypt: (bytes) => bytes.toString() },
      { info: () => undefined, warn: () => undefined, failure: () => undefined },
    );
  /** Starts the application. */
  const start = (shown = new DisplayedApprovals()): Votes =>
    new Votes({
      shown,
      signer: {
        signsEvery: true,
        sign: () => Promise.resolve({ signature: `signed-${sent.length}` }),
        refused: () => undefined,
      },
      journal: { entries: journal().at(ACCOUNT), account: ACCOUNT },
      client: {
        decideApproval: (args, options) => (sent.push([args, options]), answer()),
        decideApprovals: () => Promise.reject(new Error('not asked')),
      },
    });
  const unsettled = (): number => journal().at(ACCOUNT).unsettled().votes.length;
  const lose = async (): Promise<void> => {
    const shown = new DisplayedApprovals();
    shown.record(approval, 'opened');
    await start(shown).vote(vote);
  };

  it('should be stored before they are sent', async () => {
    let atSending = 0;
    answer = () => {
      atSending = unsettled();
      return Promise.resolve(approval);
    };
    await lose();
    expect([atSending, unsettled()]).to.deep.equal([1, 0]);
  });

  it('should be sent again after a restart with the same signature and be confirmed by the response', async () => {
    await lose();
    expect(unsettled()).to.equal(1);
    answer = () => Promise.resolve(approval);
    expect(await start().vote(vote)).to.include({ ok: true });
    expect(sent).to.have.length(2);
    expect(sent[1]).to.deep.equal(sent[0]).and.have.nested.property('[0].body.signature', 'signed-0');
    expect(unsettled()).to.equal(0);
  });

  it('should not allow another vote under the same idempotency key', async () => {
    await lose();
    for (const other of [
      { decision: 'reject' as const },
      { comment: 'No.' },
      { round: 2 },
      { approvalId: approval.runId },
      { editedArguments: {} },
      { shown: [] },
    ])
      expect(await start().vote({ ...vote, ...other })).to.include({ code: 'other_vote' });
    expect(await start().vote({ ...vote, idempotencyKey: 'key-of-2' })).to.include({ code: 'not_shown' });
    expect([sent.length, unsettled()]).to.deep.equal([1, 1]);
  });

  it('should be kept while their outcome is unknown and dropped when it is certain', async () => {
    for (const error of [
      new ConnectionError(undefined),
      problemError(503, 'service_unavailable'),
      problemError(401, 'invalid_token'),
      problemError(403, 'forbidden'),
    ]) {
      answer = () => Promise.reject(new ConnectionError(undefined));
      if (unsettled() === 0) await lose();
      answer = () => Promise.reject(error);
      await start().vote(vote);
      expect(unsettled(), error.message).to.equal(1);
    }
    answer = () => Promise.reject(problemError(409, 'approval_already_resolved'));
    await start().vote(vote);
    expect(unsettled()).to.equal(0);
    answer = () => Promise.reject(problemError(401, 'invalid_token'));
    await lose();
    expect(unsettled(), 'a first one that was not listened to').to.equal(0);
  });
});
