import {
  outcomeOfError,
  ProblemError,
  type Approval,
  type BulkDecisionsResult,
  type Client,
} from '@countersign/contract';
import canonicalize from 'canonicalize';
import { refused, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput, Vote } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { DisplayedApprovals } from './displayed-approvals.js';
import type { Account, AccountJournal, SentVote } from './unconfirmed-vote-store.js';

/**
 * Signs votes with the key of this device, after confirmation in a dialog of the operating system, which shows the
 * approval and which no script in the window can answer.
 */
export interface VoteSigner {
  /** Whether votes are signed even if no signature is required: then every vote needs a dialog. */
  readonly signsEvery: boolean;
  /**
   * @param approval as loaded by the main process itself
   * @returns the signed statement; `undefined` if the vote is sent unsigned; otherwise the reason why nothing is sent
   */
  sign(approval: Approval, vote: Vote): Promise<Signed>;
  /**
   * Called when the server has refused a vote.
   *
   * @param code error code of the problem
   */
  refused(code: string): void;
}

export type Signed = { readonly signature: string } | Extract<OperationResult<never>, { ok: false }> | undefined;

interface VotesOptions {
  readonly client: Pick<Client, 'decideApproval' | 'decideApprovals'>;
  readonly shown: DisplayedApprovals;
  readonly signer: VoteSigner | undefined;
  /** Store of votes that are written before they are sent, and their owner. */
  readonly journal?: { readonly entries: AccountJournal; readonly account: Account } | undefined;
}

/** Sends votes, each only for exactly what the window received. */
export class Votes {
  constructor(private readonly options: VotesOptions) {}

  async vote(vote: Vote): Promise<OperationResult<Approval>> {
    const { approvalId, round, subjectDigest, idempotencyKey } = vote;
    const { shown, signer, journal } = this.options;
    const before = journal?.entries.find(idempotencyKey);
    // The user has confirmed exactly this vote, maybe before a restart, so it may not have been displayed since.
    if (before !== undefined) return isRepeat(vote, before) ? this.send(before, true) : refused('other_vote');
    await shown.loads.settled(approvalId);
    const found = shown.find(approvalId, round, subjectDigest, 'opened');
    if ('refusal' in found) return refused(found.refusal);
    const signed = await signer?.sign(found.approval, vote);
    if (signed !== undefined && !('signature' in signed)) return signed;
    const { runId, title } = found.approval;
    return this.send(
      { approvalId, idempotencyKey, body: { ...bodyOf(vote), ...signed }, runId, title, sentAt: Date.now() },
      false,
    );
  }

  private async send(vote: Omit<SentVote, keyof Account>, repeat: boolean): Promise<OperationResult<Approval>> {
    const { approvalId, idempotencyKey, body } = vote;
    const { client, signer, journal } = this.options;
    journal?.entries.begin({ ...vote, ...journal.account });
    let settled = false;
    try {
      const answer = await toOperationResult(client.decideApproval({ approvalId, body }, { idempotencyKey }));
      settled = isSettled(answer, repeat);
      if (!answer.ok && answer.kind === 'problem') signer?.refused(answer.problem.code);
      return answer;
    } finally {
      journal?.entries.end(idempotencyKey, settled);
    }
  }

  /** Approves several low-risk approvals. */
  async voteTogether({
    approvals,
    idempotencyKey,
  }: MethodInput<'voteTogether'>): Promise<OperationResult<BulkDecisionsResult>> {
    const { client, shown, signer } = this.options;
    if (signer?.signsEvery === true) return refused('signs_every');
    for (const { approvalId, round, subjectDigest } of approvals) {
      const found = shown.find(approvalId, round, subjectDigest, 'listed');
      if ('refusal' in found) return refused(found.refusal);
      if (found.approval.riskLevel !== 'low') return refused('not_low_risk');
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

function bodyOf({ decision, subjectDigest, round, comment, editedArguments, shown }: Vote): SentVote['body'] {
  return {
    decision,
    expectedDigest: subjectDigest,
    round,
    ...(comment === undefined ? {} : { comment }),
    ...(editedArguments === undefined ? {} : { editedArguments }),
    ...(shown === undefined ? {} : { shown }),
  };
}

function isRepeat(vote: Vote, { approvalId, body: { signature: _, ...said } }: SentVote): boolean {
  return vote.approvalId === approvalId && canonicalize(bodyOf(vote)) === canonicalize(said);
}

/**
 * Returns whether the outcome is certain. A refusal that did not check the idempotency key says nothing about an
 * earlier attempt.
 */
function isSettled(answer: OperationResult<Approval>, repeat: boolean): boolean {
  if (answer.ok) return true;
  if (answer.kind !== 'problem') return false;
  const outcome = outcomeOfError(new ProblemError(answer.problem));
  return outcome === 'refused' || (outcome === 'unauthorized' && !repeat);
}
