import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionError, type Approval } from '@countersign/contract';
import { expect } from 'chai';
import type { Vote } from '../../common/methods.js';
import { createProblemError } from '../problem-error.spec.support.js';
import { computeSubjectDigest, DisplayedApprovals } from './displayed-approvals.js';
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
  digest: computeSubjectDigest(subject),
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
  let respond: () => Promise<Approval>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-votes-'));
    sent = [];
    respond = () => Promise.reject(new ConnectionError(undefined));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const openStore = (): UnconfirmedVoteStore =>
    new UnconfirmedVoteStore(
      join(directory, 'votes'),
      { isSafe: () => true, encrypt: (text) => Buffer.from(text), decrypt: (bytes) => bytes.toString() },
      { info: () => undefined, warn: () => undefined, failure: () => undefined },
    );
  /** Creates the votes as after a start of the application. */
  const createVotes = (shown = new DisplayedApprovals()): Votes =>
    new Votes({
      displayedApprovals: shown,
      signer: {
        signsEveryVote: true,
        sign: () => Promise.resolve({ signature: `signed-${sent.length}` }),
        onVoteRefused: () => undefined,
      },
      unconfirmedVotes: { store: openStore().forAccount(ACCOUNT), account: ACCOUNT },
      client: {
        decideApproval: (args, options) => (sent.push([args, options]), respond()),
        decideApprovals: () => Promise.reject(new Error('decideApprovals() must not be called')),
      },
    });
  const countUnconfirmed = (): number => openStore().forAccount(ACCOUNT).listUnconfirmed().votes.length;
  const sendUnconfirmedVote = async (): Promise<void> => {
    const shown = new DisplayedApprovals();
    shown.record(approval, 'opened');
    await createVotes(shown).vote(vote);
  };

  it('should be stored before they are sent', async () => {
    let countAtSending = 0;
    respond = () => {
      countAtSending = countUnconfirmed();
      return Promise.resolve(approval);
    };
    await sendUnconfirmedVote();
    expect([countAtSending, countUnconfirmed()]).to.deep.equal([1, 0]);
  });

  it('should be sent again after a restart with the same signature and be confirmed by the response', async () => {
    await sendUnconfirmedVote();
    expect(countUnconfirmed()).to.equal(1);
    respond = () => Promise.resolve(approval);
    expect(await createVotes().vote(vote)).to.include({ ok: true });
    expect(sent).to.have.length(2);
    expect(sent[1]).to.deep.equal(sent[0]).and.have.nested.property('[0].body.signature', 'signed-0');
    expect(countUnconfirmed()).to.equal(0);
  });

  it('should not allow another vote under the same idempotency key', async () => {
    await sendUnconfirmedVote();
    for (const change of [
      { decision: 'reject' as const },
      { comment: 'No.' },
      { round: 2 },
      { approvalId: approval.runId },
      { editedArguments: {} },
      { shown: [] },
    ])
      expect(await createVotes().vote({ ...vote, ...change })).to.include({ code: 'other_vote' });
    expect(await createVotes().vote({ ...vote, idempotencyKey: 'key-of-2' })).to.include({ code: 'not_shown' });
    expect([sent.length, countUnconfirmed()]).to.deep.equal([1, 1]);
  });

  it('should be kept while their outcome is unknown and dropped when it is certain', async () => {
    for (const error of [
      new ConnectionError(undefined),
      createProblemError(503, 'service_unavailable'),
      createProblemError(401, 'invalid_token'),
      createProblemError(403, 'forbidden'),
    ]) {
      respond = () => Promise.reject(new ConnectionError(undefined));
      if (countUnconfirmed() === 0) await sendUnconfirmedVote();
      respond = () => Promise.reject(error);
      await createVotes().vote(vote);
      expect(countUnconfirmed(), error.message).to.equal(1);
    }
    respond = () => Promise.reject(createProblemError(409, 'approval_already_resolved'));
    await createVotes().vote(vote);
    expect(countUnconfirmed()).to.equal(0);
    respond = () => Promise.reject(createProblemError(401, 'invalid_token'));
    await sendUnconfirmedVote();
    expect(countUnconfirmed(), 'a vote whose first request was refused').to.equal(0);
  });
});
