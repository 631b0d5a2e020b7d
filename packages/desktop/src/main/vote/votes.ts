import type { Approval, BulkDecisionsResult, Client } from '@countersign/contract';
import { refused, type Answer } from '../../common/answers.js';
import type { MethodInput, Vote } from '../../common/methods.js';
import { answerOf } from '../api/answer-of.js';
import type { ShownLedger } from './shown-ledger.js';

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

export type Signed = { readonly signature: string } | Extract<Answer<never>, { ok: false }> | undefined;

interface VotesOptions {
  readonly client: Pick<Client, 'decideApproval' | 'decideApprovals'>;
  readonly shown: ShownLedger;
  readonly signer: VoteSigner | undefined;
}

/** Sends votes, each for exactly what the window was given, and for nothing else. */
export class Votes {
  constructor(private readonly options: VotesOptions) {}

  async vote(vote: Vote): Promise<Answer<Approval>> {
    const { approvalId, round, subjectDigest, decision, comment, editedArguments, idempotencyKey } = vote;
    const { client, shown, signer } = this.options;
    const found = shown.find(approvalId, round, subjectDigest, 'opened');
    if ('refusal' in found) return refused(found.refusal);
    const signed = await signer?.sign(found.approval, vote);
    if (signed !== undefined && !('signature' in signed)) return signed;
    const body = {
      decision,
      expectedDigest: subjectDigest,
      round,
      ...(comment === undefined ? {} : { comment }),
      ...(editedArguments === undefined ? {} : { editedArguments }),
      ...signed,
    };
    const answer = await answerOf(client.decideApproval({ approvalId, body }, { idempotencyKey }));
    if (!answer.ok && answer.kind === 'problem') signer?.refused(answer.problem.code);
    return answer;
  }

  /** Approves several of low risk. */
  async voteTogether({ approvals, idempotencyKey }: MethodInput<'voteTogether'>): Promise<Answer<BulkDecisionsResult>> {
    const { client, shown, signer } = this.options;
    if (signer?.signsEvery === true) return refused('signs_every');
    for (const { approvalId, round, subjectDigest } of approvals) {
      const found = shown.find(approvalId, round, subjectDigest, 'listed');
      if ('refusal' in found) return refused(found.refusal);
      if (found.approval.riskLevel !== 'low') return refused('not_low_risk');
    }
    const decisions = approvals.map(({ approvalId, round, subjectDigest }) => ({ approvalId, round, expectedDigest: subjectDigest, decision: 'approve' as const }));
    return answerOf(client.decideApprovals({ body: { decisions } }, { idempotencyKey }));
  }
}
