import type { Approval, Decision, JsonValue, ShownEvidence } from '@countersign/contract';

/** A decision that the user is about to send; kept until the server has counted it. */
export interface DecisionDraft {
  readonly decision: Decision;
  readonly comment: string;
  /** With `approve` of a tool call: these arguments replace the agent's. */
  readonly editedArguments?: Readonly<Record<string, JsonValue>>;
  /** The evidence that was displayed before the decision; omitted if there is none or the arguments were edited. */
  readonly shown?: readonly ShownEvidence[] | undefined;
}

/**
 * `undoable`: not sent yet, can be undone. `sending`: can no longer be undone. `unconfirmed`: no response arrived, so
 * the vote may have been counted. `refused`: the server did not count it. `changed`: the server did not count it,
 * because the approval differs from the displayed one.
 */
export type PendingVoteState = 'undoable' | 'sending' | 'unconfirmed' | 'refused' | 'changed';

/** Approval as it was displayed when the user voted. */
export type VotedApproval = Pick<Approval, 'approvalId' | 'title' | 'round' | 'digest'> &
  Partial<Pick<Approval, 'subject'>>;

/** A vote that was sent before the page was loaded and is unconfirmed. */
export interface UnconfirmedVote extends Pick<PendingVote, 'draft' | 'key'> {
  readonly approval: VotedApproval;
}

/** A vote that is not confirmed yet. */
export interface PendingVote {
  /** The approval as displayed: its digest and round are sent with the vote. */
  readonly approval: VotedApproval;
  readonly draft: DecisionDraft;
  readonly state: PendingVoteState;
  /** End of the undo window, in ms. */
  readonly sendAt: number;
  /** Idempotency key, the same for all attempts, so that a retry after a lost response is never counted twice. */
  readonly key: string;
  /** Whether sending opens a dialog outside this page in which the user confirms and signs the vote. */
  readonly opensSigningDialog: boolean;
  readonly error?: unknown;
  /** Deletes the stored copy of the vote; only votes that were sent before the page was loaded have one. */
  readonly forget?: () => void;
}

/**
 * Returns the request body of a decision. With the digest and the round, the server refuses it if the approval differs
 * from the displayed one.
 */
export function buildDecisionBody({ approval, draft }: Pick<PendingVote, 'approval' | 'draft'>) {
  const { decision, editedArguments, shown } = draft;
  const comment = draft.comment.trim();
  return {
    decision,
    ...(comment === '' ? {} : { comment }),
    ...(editedArguments === undefined ? {} : { editedArguments: { ...editedArguments } }),
    ...(shown === undefined || editedArguments !== undefined ? {} : { shown: [...shown] }),
    expectedDigest: approval.digest,
    round: approval.round,
  };
}

/** Returns whether a vote may still count: it is in its undo window, is being sent, or is unconfirmed. */
export function canStillCount({ state }: Pick<PendingVote, 'state'>): boolean {
  return state === 'undoable' || state === 'sending' || state === 'unconfirmed';
}
