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
 * Signs votes with the key of this device. It asks the person by a dialog of the operating system, which shows what the
 * approval says, and which no script in the window can answer.
 */
export interface VoteSigner {
  /** Whether votes are signed that don't have to be: then none goes without a dialog. */
  readonly signsEvery: boolean;
  /**
   * @param approval as the main process itself has loaded it
   * @returns the signed statement; `undefined` where the vote goes without one; else why nothing is sent
   */
  sign(approval: Approval, vote: Vote): Promise<Signed>;
  /** Hears what the server has refused a vote with. @param code of the problem */
  refused(code: string): void;
}

export type Signed = { readonly signature: string } | Extract<OperationResult<never>, { ok: false }> | undefined;

interface VotesOptions {
  readonly client: Pick<Client, 'decideApproval' | 'decideApprovals'>;
  readonly shown: DisplayedApprovals;
  readonly signer: VoteSigner | undefined;
  /** Where votes are written down before they are sent, and whose they are. */
  readonly journal?: { readonly entries: AccountJournal; readonly account: Account } | undefined;
}

/** Sends votes, each for exactly what the window was given, and for nothing else. */
export class Votes {
  constructor(private readonly options: VotesOptions) {}

  async vote(vote: Vote): Promise<OperationResult<Approval>> {
    const { approvalId, round, subjectDigest, idempotencyKey } = vote;
    const { shown, signer, journal } = this.options;
    const before = journal?.entries.find(idempotencyKey);
    // The person has confirmed exactly this one, maybe before this start, so that it was not shown since.
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

  /** Approves several of low risk. */
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

/** Whether it is certain what came of it; a refusal that did not look at the key says nothing of what was sent before. */
function isSettled(answer: OperationResult<Approval>, repeat: boolean): boolean {
  if (answer.ok) return true;
  if (answer.kind !== 'problem') return false;
  const outcome = outcomeOfError(new ProblemError(answer.problem));
  return outcome === 'refused' || (outcome === 'unauthorized' && !repeat);
}
