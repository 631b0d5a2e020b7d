import {
  toRequestOutcome,
  ProblemError,
  type Approval,
  type BulkDecisionsResult,
  type Client,
} from '@countersign/contract';
import canonicalize from 'canonicalize';
import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput, Vote } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { DisplayedApprovals } from './displayed-approvals.js';
import type { Account, AccountVotes, SentVote } from './unconfirmed-vote-store.js';

/**
 * Signs votes with the key of this device, after confirmation in a system dialog. The dialog shows the approval, and no
 * script in the window can confirm it.
 */
export interface VoteSigner {
  /** Whether votes are signed even if no signature is required, so that every vote needs a dialog. */
  readonly signsEveryVote: boolean;
  /**
   * @param approval as loaded by the main process itself
   * @returns the signature; `undefined` to send the vote unsigned; or the reason why the vote is not sent
   */
  sign(approval: Approval, vote: Vote): Promise<SigningResult>;
  /**
   * Called when the server has refused a vote.
   *
   * @param code error code of the problem
   */
  onVoteRefused(code: string): void;
}

export type SigningResult = { readonly signature: string } | Extract<OperationResult<never>, { ok: false }> | undefined;

interface VotesOptions {
  readonly client: Pick<Client, 'decideApproval' | 'decideApprovals'>;
  readonly displayedApprovals: DisplayedApprovals;
  readonly signer: VoteSigner | undefined;
  /** Store to which votes are written before they are sent, and the account of the voter. */
  readonly unconfirmedVotes?: { readonly store: AccountVotes; readonly account: Account } | undefined;
}

/** Sends votes, but only on versions of approvals that the window has received. */
export class Votes {
  constructor(private readonly options: VotesOptions) {}

  async vote(vote: Vote): Promise<OperationResult<Approval>> {
    const { approvalId, round, subjectDigest, idempotencyKey } = vote;
    const { displayedApprovals, signer, unconfirmedVotes } = this.options;
    const unconfirmed = unconfirmedVotes?.store.find(idempotencyKey);
    // The user has already confirmed exactly this vote, possibly before a restart, so the approval need not be
    // displayed again.
    if (unconfirmed !== undefined)
      return isSameVote(vote, unconfirmed) ? this.send(unconfirmed, true) : createRefusal('other_vote');
    await displayedApprovals.loads.waitFor(approvalId);
    const found = displayedApprovals.find(approvalId, round, subjectDigest, 'opened');
    if ('refusal' in found) return createRefusal(found.refusal);
    const signingResult = await signer?.sign(found.approval, vote);
    if (signingResult !== undefined && !('signature' in signingResult)) return signingResult;
    const { runId, title } = found.approval;
    return this.send(
      {
        approvalId,
        idempotencyKey,
        body: { ...toRequestBody(vote), ...signingResult },
        runId,
        title,
        sentAt: Date.now(),
      },
      false,
    );
  }

  private async send(vote: Omit<SentVote, keyof Account>, isRetry: boolean): Promise<OperationResult<Approval>> {
    const { approvalId, idempotencyKey, body } = vote;
    const { client, signer, unconfirmedVotes } = this.options;
    unconfirmedVotes?.store.startSending({ ...vote, ...unconfirmedVotes.account });
    let isOutcomeKnown = false;
    try {
      const result = await toOperationResult(client.decideApproval({ approvalId, body }, { idempotencyKey }));
      isOutcomeKnown = hasKnownOutcome(result, isRetry);
      if (!result.ok && result.kind === 'problem') signer?.onVoteRefused(result.problem.code);
      return result;
    } finally {
      unconfirmedVotes?.store.finishSending(idempotencyKey, isOutcomeKnown);
    }
  }

  /** Votes to approve on several low-risk approvals with one request. */
  async voteInBulk({
    approvals,
    idempotencyKey,
  }: MethodInput<'voteTogether'>): Promise<OperationResult<BulkDecisionsResult>> {
    const { client, displayedApprovals, signer } = this.options;
    if (signer?.signsEveryVote === true) return createRefusal('signs_every');
    for (const { approvalId, round, subjectDigest } of approvals) {
      const found = displayedApprovals.find(approvalId, round, subjectDigest, 'listed');
      if ('refusal' in found) return createRefusal(found.refusal);
      if (found.approval.riskLevel !== 'low') return createRefusal('not_low_risk');
    }
    const decisions = approvals.map((approval) => ({
      approvalId: approval.approvalId,
      round: approval.round,
      expectedDigest: approval.subjectDigest,
      decision: 'approve' as const,
      ...(approval.shown === undefined ? {} : { shown: approval.shown }),
    }));
    return toOperationResult(client.decideApprovals({ body: { decisions } }, { idempotencyKey }));
  }
}

function toRequestBody({ decision, subjectDigest, round, comment, editedArguments, shown }: Vote): SentVote['body'] {
  return {
    decision,
    expectedDigest: subjectDigest,
    round,
    ...(comment === undefined ? {} : { comment }),
    ...(editedArguments === undefined ? {} : { editedArguments }),
    ...(shown === undefined ? {} : { shown }),
  };
}

function isSameVote(vote: Vote, { approvalId, body: { signature: _, ...sentInput } }: SentVote): boolean {
  return vote.approvalId === approvalId && canonicalize(toRequestBody(vote)) === canonicalize(sentInput);
}

/**
 * Returns whether the outcome of the request is known. A refusal before the idempotency key is checked does not reveal
 * the outcome of an earlier attempt.
 */
function hasKnownOutcome(result: OperationResult<Approval>, isRetry: boolean): boolean {
  if (result.ok) return true;
  if (result.kind !== 'problem') return false;
  const outcome = toRequestOutcome(new ProblemError(result.problem));
  return outcome === 'refused' || outcome === 'executed' || (outcome === 'unauthorized' && !isRetry);
}
