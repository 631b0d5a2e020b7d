import type { Approval, Decision, JsonValue, ShownEvidence } from '@countersign/contract';

/** What somebody is about to decide; kept as long as it is not counted. */
export interface DecisionDraft {
  readonly decision: Decision;
  readonly comment: string;
  /** With `approve` of a call of a tool: these arguments in the place of the agent's. */
  readonly editedArguments?: Readonly<Record<string, JsonValue>>;
  /** The evidence that was shown until then; left out: there is none, or another call is proposed. */
  readonly shown?: readonly ShownEvidence[] | undefined;
}

/**
 * `grace`: can still be taken back, nothing is sent. `sending`: cannot. `unsettled`: no answer came, so it may have been
 * counted. `refused`: the server did not count it. `changed`: it did not, as it is not any more what was shown.
 */
export type OutboxState = 'grace' | 'sending' | 'unsettled' | 'refused' | 'changed';

/** What an approval was when it was decided on. */
export type Decided = Pick<Approval, 'approvalId' | 'title' | 'round' | 'digest'> & Partial<Pick<Approval, 'subject'>>;

/** A decision that was sent before the page began, and whose answer did not come. */
export interface UnconfirmedVote extends Pick<PendingVote, 'draft' | 'key'> {
  readonly approval: Decided;
}

/** A decision on its way. */
export interface PendingVote {
  /** As it was shown: its digest and round go with the vote. */
  readonly approval: Decided;
  readonly draft: DecisionDraft;
  readonly state: OutboxState;
  /** The end of the grace, in ms. */
  readonly sendAt: number;
  /** The same for all tries, so that one whose answer was lost is never counted twice. */
  readonly key: string;
  /** It is signed on its way, after a dialog that is not of this page. */
  readonly signs: boolean;
  readonly error?: unknown;
  /** Drops what is kept of it beyond this page; only what is from before the page has it. */
  readonly forget?: () => void;
}

/** The body of the request of a decision: exactly what was shown is decided on, or nothing. */
export function decisionBody({ approval, draft }: Pick<PendingVote, 'approval' | 'draft'>) {
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

/** Whether a decision may still count: it waits for its grace to pass, is being sent, or nobody knows what became of it. */
export function isOnItsWay({ state }: Pick<PendingVote, 'state'>): boolean {
  return state === 'grace' || state === 'sending' || state === 'unsettled';
}
