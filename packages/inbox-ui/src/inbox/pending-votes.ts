import { toRequestOutcome, ProblemError, type Approval } from '@countersign/contract';
import {
  buildDecisionBody,
  type DecisionDraft,
  type UnconfirmedVote,
  type PendingVote,
  type PendingVoteState,
} from './pending-vote.js';
import { Listeners } from '../ui/listeners.js';

/** Duration of the undo window, in ms. */
export const UNDO_WINDOW_MS = 5_000;

/**
 * Returns the remaining time of an undo window, in whole seconds.
 *
 * @param now in ms; may be up to a second late, because the clock is updated once a second
 */
export function getSecondsLeft(sendAt: number, now: number): number {
  return Math.min(UNDO_WINDOW_MS / 1_000, Math.max(0, Math.ceil((sendAt - now) / 1_000)));
}

/** Clock and timers, replaceable in tests. */
export interface VoteClock {
  /** Returns the current time, in ms. */
  now(): number;
  /** @returns a function that cancels the call */
  schedule(ms: number, run: () => void): () => void;
}

export interface PendingVotesOptions {
  /** Sends the vote. Requests with the same key count as one vote. */
  send(approvalId: string, body: ReturnType<typeof buildDecisionBody>, idempotencyKey: string): Promise<Approval>;
  /**
   * Called when the server has counted the vote.
   *
   * @param approval its current state; for an edited call, the approval of the next round; `undefined` if the vote was
   *   counted earlier and the response was erased
   */
  onCounted?(entry: PendingVote, approval: Approval | undefined): void;
  /** Called when the server refused the vote or did not respond. */
  onNotCounted?(entry: PendingVote): void;
  newIdempotencyKey(): string;
  readonly clock: VoteClock;
}

/** Error codes of a vote whose subject differs from the displayed one or whose approval is closed. */
const CHANGED_SUBJECT_CODES = ['stale_digest', 'stale_round', 'approval_already_resolved'];

/**
 * Pending votes: each can be undone for some seconds and is only sent after that. Closing the page sends nothing: a
 * vote that is still in its undo window is discarded.
 *
 * An approval has at most one entry. An unconfirmed vote is retried with the same idempotency key, and only on request
 * of the user, never automatically.
 */
export class PendingVotes {
  private entriesById = new Map<string, PendingVote>();
  private readonly timers = new Map<string, () => void>();
  private readonly listeners = new Listeners();
  private list: readonly PendingVote[] = [];

  constructor(private readonly options: PendingVotesOptions) {}

  /** Returns the entries, oldest first; the same array until something changes. */
  readonly entries = (): readonly PendingVote[] => this.list;

  readonly subscribe = this.listeners.subscribe;

  /** Whether an unsent vote or the response to a sent vote would be lost if the user left now. */
  get hasUnsavedVotes(): boolean {
    return this.list.some(
      ({ state, forget }) =>
        state === 'undoable' || state === 'sending' || (state === 'unconfirmed' && forget === undefined),
    );
  }

  /**
   * Displays votes that were sent before this page was loaded and are unconfirmed. Sends nothing: the user retries or
   * dismisses them.
   *
   * @param forget deletes the stored copy of a vote
   */
  restore(votes: readonly UnconfirmedVote[], forget: (key: string) => void): void {
    for (const { approval, draft, key } of votes) {
      if (this.entriesById.has(approval.approvalId)) continue;
      this.set({
        approval,
        draft,
        key,
        state: 'unconfirmed',
        sendAt: 0,
        opensSigningDialog: false,
        forget: () => forget(key),
      });
    }
  }

  /**
   * Starts the undo window of a vote. Does nothing while another vote on the same approval is being sent or
   * unconfirmed.
   *
   * @param opensSigningDialog whether the vote is sent immediately and confirmed in the signing dialog, which
   *   replaces the undo window
   */
  add(approval: Approval, draft: DecisionDraft, opensSigningDialog = false): void {
    const { approvalId } = approval;
    const existing = this.entriesById.get(approvalId);
    if (existing !== undefined && (existing.state === 'sending' || existing.state === 'unconfirmed')) return;
    this.stopTimer(approvalId);
    const { clock } = this.options;
    this.entriesById.delete(approvalId);
    this.set({
      approval,
      draft,
      state: 'undoable',
      sendAt: clock.now() + (opensSigningDialog ? 0 : UNDO_WINDOW_MS),
      key: this.options.newIdempotencyKey(),
      opensSigningDialog,
    });
    if (opensSigningDialog) void this.send(approvalId);
    else
      this.timers.set(
        approvalId,
        clock.schedule(UNDO_WINDOW_MS, () => void this.send(approvalId)),
      );
  }

  /**
   * Undoes a vote in its undo window, by default the newest one.
   *
   * @returns the undone vote; `undefined` if there is nothing to undo
   */
  undo(approvalId?: string): PendingVote | undefined {
    const entry = this.list
      .filter(
        ({ state, approval }) => state === 'undoable' && (approvalId ?? approval.approvalId) === approval.approvalId,
      )
      .at(-1);
    if (entry !== undefined) this.remove(entry.approval.approvalId);
    return entry;
  }

  /** Retries an unconfirmed vote with the same request, so that it counts only once. */
  retry(approvalId: string): void {
    if (this.entriesById.get(approvalId)?.state === 'unconfirmed') void this.send(approvalId);
  }

  /** Removes a refused vote, or an unconfirmed one from before the page was loaded that must not be retried. */
  dismiss(approvalId: string): void {
    const { state, forget } = this.entriesById.get(approvalId) ?? {};
    if (state === 'unconfirmed') forget?.();
    if (state === 'refused' || state === 'changed' || (state === 'unconfirmed' && forget !== undefined))
      this.remove(approvalId);
  }

  private async send(approvalId: string): Promise<void> {
    const entry = this.entriesById.get(approvalId);
    if (entry === undefined || entry.state === 'sending') return;
    this.stopTimer(approvalId);
    // A retry reuses the earlier signature without another dialog.
    const sending: PendingVote = {
      ...entry,
      state: 'sending',
      error: undefined,
      opensSigningDialog: entry.opensSigningDialog && entry.state !== 'unconfirmed',
    };
    this.set(sending);
    try {
      const approval = await this.options.send(approvalId, buildDecisionBody(sending), sending.key);
      this.remove(approvalId);
      this.options.onCounted?.(sending, approval);
    } catch (error) {
      if (toRequestOutcome(error) === 'executed') {
        this.remove(approvalId);
        this.options.onCounted?.(sending, undefined);
        return;
      }
      const failed: PendingVote = { ...sending, state: toFailedState(error, entry.state), error };
      this.set(failed);
      this.options.onNotCounted?.(failed);
    }
  }

  private set(entry: PendingVote): void {
    this.entriesById.set(entry.approval.approvalId, entry);
    this.publish();
  }

  private remove(approvalId: string): void {
    this.stopTimer(approvalId);
    this.entriesById.delete(approvalId);
    this.publish();
  }

  private stopTimer(approvalId: string): void {
    this.timers.get(approvalId)?.();
    this.timers.delete(approvalId);
  }

  private publish(): void {
    this.list = [...this.entriesById.values()];
    this.listeners.notify();
  }
}

function toFailedState(error: unknown, previousState: PendingVoteState): PendingVoteState {
  const outcome = toRequestOutcome(error);
  if (outcome === 'unknown' || (outcome === 'unauthorized' && previousState === 'unconfirmed')) return 'unconfirmed';
  return error instanceof ProblemError && CHANGED_SUBJECT_CODES.includes(error.code) ? 'changed' : 'refused';
}
