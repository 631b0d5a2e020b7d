import type { Approval, BulkDecisionsResult } from '@countersign/contract';
import { expect } from 'chai';
import { createRefusal } from '../../common/operation-result.js';
import { createProblemError } from '../problem-error.spec.support.js';
import { computeSubjectDigest, DisplayedApprovals } from './displayed-approvals.js';
import { Votes, type VoteSigner } from './votes.js';

const ID = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';

function createApproval(overrides: Partial<Approval> = {}): Approval {
  const subject = {
    kind: 'user_task',
    inputs: { version: '1.4.0', größe: 1.5 },
    later: [{ b: 1, a: null }],
  } as unknown as Approval['subject'];
  return {
    approvalId: ID,
    round: 1,
    riskLevel: 'low',
    subject,
    digest: computeSubjectDigest(subject),
    ...overrides,
  } as Approval;
}

describe('Votes', () => {
  let sent: unknown[];
  let shown: DisplayedApprovals;

  beforeEach(() => {
    sent = [];
    shown = new DisplayedApprovals();
  });

  const createVotes = (signer?: VoteSigner): Votes =>
    new Votes({
      displayedApprovals: shown,
      signer,
      client: {
        decideApproval: (args, options) =>
          Promise.resolve(void sent.push([args, options])).then(() => createApproval()),
        decideApprovals: (args, options) =>
          Promise.resolve(void sent.push([args, options])).then((): BulkDecisionsResult => ({ results: [] })),
      },
    });
  const createVote = (approval: Approval, overrides: object = {}) => ({
    approvalId: approval.approvalId,
    round: approval.round,
    subjectDigest: approval.digest,
    decision: 'approve' as const,
    idempotencyKey: 'key-of-1',
    ...overrides,
  });

  it('should send a vote on an opened approval with its digest, round and idempotency key', async () => {
    const approval = createApproval();
    shown.record(approval, 'opened');
    expect(await createVotes().vote(createVote(approval))).to.include({ ok: true });
    expect(sent).to.deep.equal([
      [
        { approvalId: ID, body: { decision: 'approve', expectedDigest: approval.digest, round: 1 } },
        { idempotencyKey: 'key-of-1' },
      ],
    ]);
  });

  it('should send no vote on an approval that was only listed or displayed with another round or digest', async () => {
    const approval = createApproval();
    expect(await createVotes().vote(createVote(approval))).to.include({ code: 'not_shown' });
    shown.record(approval, 'listed');
    expect(await createVotes().vote(createVote(approval))).to.include({ code: 'not_shown' });
    shown.record(approval, 'opened');
    expect(await createVotes().vote(createVote(approval, { round: 2 }))).to.include({ code: 'not_as_shown' });
    expect(await createVotes().vote(createVote(approval, { subjectDigest: computeSubjectDigest({}) }))).to.include({
      code: 'not_as_shown',
    });
    expect(sent).to.deep.equal([]);
  });

  it('should wait for an approval that is still being loaded, and then send the vote', async () => {
    // given: the list has displayed the approval, and the window has opened it
    const approval = createApproval();
    shown.record(approval, 'listed');
    let finishLoad = (_approval: Approval): void => undefined;
    shown.loads.track(
      ID,
      new Promise<Approval>((resolve) => (finishLoad = resolve)).then((each) => shown.record(each, 'opened')),
    );
    const pendingVote = createVotes().vote(createVote(approval));
    await Promise.resolve();
    expect(sent).to.deep.equal([]);
    // when
    finishLoad(approval);
    // then
    expect(await pendingVote).to.include({ ok: true });
    expect(sent).to.have.length(1);
  });

  it('should send no vote if loading the approval fails or the loaded approval has another round', async () => {
    const approval = createApproval();
    shown.record(approval, 'listed');
    shown.loads.track(ID, Promise.reject(new Error('offline')));
    expect(await createVotes().vote(createVote(approval))).to.include({ code: 'not_shown' });
    shown.loads.track(
      ID,
      Promise.resolve().then(() => shown.record({ ...approval, round: 2 }, 'opened')),
    );
    expect(await createVotes().vote(createVote(approval))).to.include({ code: 'not_as_shown' });
    expect(sent).to.deep.equal([]);
  });

  it('should send no vote if the digest from the server does not match the subject', async () => {
    const approval = createApproval({ digest: computeSubjectDigest('something else') });
    shown.record(approval, 'opened');
    for (const subjectDigest of [approval.digest, computeSubjectDigest(approval.subject)])
      expect(await createVotes().vote(createVote(approval, { subjectDigest }))).to.include({ code: 'digest_mismatch' });
    expect(sent).to.deep.equal([]);
  });

  it('should approve listed approvals in bulk only if all of them have a low risk', async () => {
    const low = createApproval();
    const high = createApproval({ approvalId: ID.replace('0', '1'), riskLevel: 'high' });
    for (const approval of [low, high]) shown.record(approval, 'listed');
    const toBulkVote = ({ approvalId, round, digest }: Approval) => ({ approvalId, round, subjectDigest: digest });
    expect(
      await createVotes().voteInBulk({ approvals: [toBulkVote(low), toBulkVote(high)], idempotencyKey: 'key-of-2' }),
    ).to.include({
      code: 'not_low_risk',
    });
    expect(sent).to.deep.equal([]);
    expect(await createVotes().voteInBulk({ approvals: [toBulkVote(low)], idempotencyKey: 'key-of-2' })).to.include({
      ok: true,
    });
    expect(sent).to.have.length(1);
  });

  it('should send the displayed evidence only with the approvals that report it', async () => {
    // given
    const one = createApproval();
    const other = createApproval({ approvalId: ID.replace('0', '1') });
    for (const approval of [one, other]) shown.record(approval, 'listed');
    const toBulkVote = ({ approvalId, round, digest }: Approval) => ({ approvalId, round, subjectDigest: digest });
    const displayedEvidence = [{ name: 'notes.md', sha256: 'a'.repeat(64), percent: 40, downloaded: false }];
    // when
    const approvals = [{ ...toBulkVote(one), shown: displayedEvidence }, toBulkVote(other)];
    expect(await createVotes().voteInBulk({ approvals, idempotencyKey: 'key-of-4' })).to.include({ ok: true });
    // then
    const toDecision = ({ approvalId, round, digest }: Approval) => ({
      approvalId,
      round,
      expectedDigest: digest,
      decision: 'approve',
    });
    expect(sent).to.deep.equal([
      [
        { body: { decisions: [{ ...toDecision(one), shown: displayedEvidence }, toDecision(other)] } },
        { idempotencyKey: 'key-of-4' },
      ],
    ]);
  });

  it('should approve in bulk only the last listed round, and only if the digest matches the subject', async () => {
    const firstRound = createApproval();
    const secondRound = createApproval({ round: 2 });
    const mismatchedApproval = createApproval({
      approvalId: ID.replace('0', '1'),
      digest: computeSubjectDigest('something else'),
    });
    for (const approval of [firstRound, secondRound, mismatchedApproval]) shown.record(approval, 'listed');
    const toBulkVote = ({ approvalId, round, digest }: Approval) => ({ approvalId, round, subjectDigest: digest });
    expect(
      await createVotes().voteInBulk({ approvals: [toBulkVote(firstRound)], idempotencyKey: 'key-of-3' }),
    ).to.include({
      code: 'not_as_shown',
    });
    expect(
      await createVotes().voteInBulk({ approvals: [toBulkVote(mismatchedApproval)], idempotencyKey: 'key-of-3' }),
    ).to.include({
      code: 'digest_mismatch',
    });
    expect(
      await createVotes().voteInBulk({ approvals: [toBulkVote(secondRound)], idempotencyKey: 'key-of-3' }),
    ).to.include({
      ok: true,
    });
    expect(sent).to.have.length(1);
  });

  it('should sign a vote on the approval that the main process loaded, and send nothing if the person declines', async () => {
    const approval = createApproval();
    shown.record(approval, 'opened');
    const signer: VoteSigner = {
      signsEveryVote: false,
      sign: (loaded) => Promise.resolve({ signature: `signed ${loaded.approvalId}` }),
      onVoteRefused: () => undefined,
    };
    expect(await createVotes(signer).vote(createVote(approval))).to.include({ ok: true });
    expect(JSON.stringify(sent)).to.contain(`"signature":"signed ${ID}"`);
    expect(
      await createVotes({ ...signer, sign: () => Promise.resolve(createRefusal('declined')) }).vote(
        createVote(approval),
      ),
    ).to.include({ code: 'declined' });
    expect(sent).to.have.length(1);
  });

  it('should refuse a bulk approval if every vote is signed', async () => {
    const approval = createApproval();
    shown.record(approval, 'listed');
    const signer: VoteSigner = {
      signsEveryVote: true,
      sign: () => Promise.resolve(undefined),
      onVoteRefused: () => undefined,
    };
    expect(
      await createVotes(signer).voteInBulk({
        approvals: [{ approvalId: ID, round: 1, subjectDigest: approval.digest }],
        idempotencyKey: 'key-of-3',
      }),
    ).to.include({ code: 'signs_every' });
    expect(sent).to.deep.equal([]);
  });

  it('should report the refusal of the server to the signer', async () => {
    const approval = createApproval();
    shown.record(approval, 'opened');
    const reportedCodes: string[] = [];
    const problem = createProblemError(403, 'signing_key_revoked');
    const refusedVotes = new Votes({
      displayedApprovals: shown,
      signer: {
        signsEveryVote: false,
        sign: () => Promise.resolve({ signature: 'a.b.c' }),
        onVoteRefused: (code) => void reportedCodes.push(code),
      },
      client: { decideApproval: () => Promise.reject(problem), decideApprovals: () => Promise.reject(problem) },
    });
    expect(await refusedVotes.vote(createVote(approval))).to.include({ ok: false, kind: 'problem' });
    expect(reportedCodes).to.deep.equal(['signing_key_revoked']);
  });
});
