import { outcomeOfError, ProblemError, type Approval } from '@countersign/contract';
import {
  decisionBody,
  type DecisionDraft,
  type UnconfirmedVote,
  type PendingVote,
  type OutboxState,
} from './pending-vote.js';
import { Listeners } from '../ui/listeners.js';

/** How long a decision can be taken back, in ms. */
export const UNDO_WINDOW_MS = 5_000;

/** What is left of a grace, in whole seconds. @param now in ms; a clock that ticks by the second may lag */
export function secondsLeft(sendAt: number, now: number): number {
  return Math.min(UNDO_WINDOW_MS / 1_000, Math.max(0, Math.ceil((sendAt - now) / 1_000)));
}

/** The time, so that tests can hold it. */
export interface OutboxClock {
  /** In ms. */
  now(): number;
  /** @returns what calls it off */
  after(ms: number, run: () => void): () => void;
}

export interface OutboxOptions {
  /** Sends the vote. The same key is the same vote, however often it is sent. */
  send(approvalId: string, body: ReturnType<typeof decisionBody>, idempotencyKey: string): Promise<Approval>;
  /** The server has counted it. @param approval as it is now; of an edited call it is another one than was decided on. */
  onCounted?(entry: PendingVote, approval: Approval): void;
  /** The server has not, or nobody knows. */
  onNotCounted?(entry: PendingVote): void;
  newIdempotencyKey(): string;
  readonly clock: OutboxClock;
}

/** What a decision was refused with where the subject is not what was shown, or nobody is asked about it any more. */
const CHANGED = ['stale_digest', 'stale_round', 'approval_already_resolved'];

/**
 * Decisions on their way: for some seconds each can be taken back, and only then is it sent. Nothing is sent by leaving:
 * what is in its grace when the page is closed was never decided.
 *
 * An approval has one entry at most. One whose answer did not come is asked for again with the same idempotency key, and by
 * nobody but the person: a vote never waits blindly for a connection.
 */
export class PendingVotes {
  private entriesById = new Map<string, PendingVote>();
  private readonly timers = new Map<string, () => void>();
  private readonly listeners = new Listeners();
  private list: readonly PendingVote[] = [];

  constructor(private readonly options: OutboxOptions) {}

  /** Oldest first; the same array as long as nothing changes. */
  readonly entries = (): readonly PendingVote[] => this.list;

  readonly subscribe = this.listeners.subscribe;

  /** Whether leaving now would lose something: a decision in its grace would not be sent, an answer not be heard. */
  get busy(): boolean {
    return this.list.some(
      ({ state, forget }) =>
        state === 'grace' || state === 'sending' || (state === 'unsettled' && forget === undefined),
    );
  }

  /**
   * Shows again what was sent before this page began, and was not answered. It is not sent: the person asks, or lets it be.
   *
   * @param forget what drops it where it is kept
   */
  restore(votes: readonly UnconfirmedVote[], forget: (key: string) => void): void {
    for (const { approval, draft, key } of votes) {
      if (this.entriesById.has(approval.approvalId)) continue;
      this.set({ approval, draft, key, state: 'unsettled', sendAt: 0, signs: false, forget: () => forget(key) });
    }
  }

  /**
   * Begins the grace of a decision. Not while another one on the same approval is on its way.
   *
   * @param signs it is confirmed in a dialog before it is sent: that comes at once, and takes the place of the grace
   */
  put(approval: Approval, draft: DecisionDraft, signs = false): void {
    const { approvalId } = approval;
    const before = this.entriesById.get(approvalId);
    if (before !== undefined && (before.state === 'sending' || before.state === 'unsettled')) return;
    this.stopTimer(approvalId);
    const { clock } = this.options;
    this.entriesById.delete(approvalId);
    this.set({
      approval,
      draft,
      state: 'grace',
      sendAt: clock.now() + (signs ? 0 : UNDO_WINDOW_MS),
      key: this.options.newIdempotencyKey(),
      signs,
    });
    if (signs) void this.send(approvalId);
    else
      this.timers.set(
        approvalId,
        clock.after(UNDO_WINDOW_MS, () => void this.send(approvalId)),
      );
  }

  /**
   * Takes back a decision in its grace, by default the newest one.
   *
   * @returns what is not decided any more; `undefined` where there is nothing to take back
   */
  undo(approvalId?: string): PendingVote | undefined {
    const entry = this.list
      .filter(({ state, approval }) => state === 'grace' && (approvalId ?? approval.approvalId) === approval.approvalId)
      .at(-1);
    if (entry !== undefined) this.remove(entry.approval.approvalId);
    return entry;
  }

  /** Asks again what became of a decision whose answer did not come: the same request, which counts once. */
  settle(approvalId: string): void {
    if (this.entriesById.get(approvalId)?.state === 'unsettled') void this.send(approvalId);
  }

  /** Forgets a decision that was refused, or one of before that nobody is to ask about again. */
  dismiss(approvalId: string): void {
    const { state, forget } = this.entriesById.get(approvalId) ?? {};
    if (state === 'unsettled') forget?.();
    if (state === 'refused' || state === 'changed' || (state === 'unsettled' && forget !== undefined))
      this.remove(approvalId);
  }

  private async send(approvalId: string): Promise<void> {
    const entry = this.entriesById.get(approvalId);
    if (entry === undefined || entry.state === 'sending') return;
    this.stopTimer(approvalId);
    // A repeat goes out as it was signed before: nobody is asked again.
    const sending: PendingVote = {
      ...entry,
      state: 'sending',
      error: undefined,
      signs: entry.signs && entry.state !== 'unsettled',
    };
    this.set(sending);
    try {
      const approval = await this.options.send(approvalId, decisionBody(sending), sending.key);
      this.remove(approvalId);
      this.options.onCounted?.(sending, approval);
    } catch (error) {
      const failed: PendingVote = { ...sending, state: stateAfter(error, entry.state), error };
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

function stateAfter(error: unknown, before: OutboxState): OutboxState {
  const outcome = outcomeOfError(error);
  if (outcome === 'unknown' || (outcome === 'unauthorized' && before === 'unsettled')) return 'unsettled';
  return error instanceof ProblemError && CHANGED.includes(error.code) ? 'changed' : 'refused';
}
