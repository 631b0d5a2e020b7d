import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@countersign/contract';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { Votes } from '../vote/votes.js';
import type { Clock } from './clock.js';
import { toWaitingApproval } from './to-waiting-item.js';
import { getWaitingItemKey, type WaitingApproval } from './waiting-item.js';

/** How long a reply can be undone, in ms: as long as a vote in the inbox (`UNDO_WINDOW_MS` of inbox-ui). */
const UNDO_WINDOW_MS = 5_000;
/** Maximum length of a reason, in characters: the maximum length of a comment, because the reason is sent as one. */
const MAX_REASON_LENGTH = 10_000;

export type RejectClient = Pick<Client, 'getApproval' | 'decideApproval' | 'decideApprovals'>;

interface NotificationReplyHandlerOptions {
  readonly clock: Clock;
  /** Returns the client of a server; `undefined` if the user is no longer signed in there. */
  getClient(serverId: string): RejectClient | undefined;
  /** Returns whether the user has chosen to sign every vote, which requires a dialog. */
  signsEveryVote(): boolean;
  /** Returns whether the machine is unlocked. On a locked machine, anyone could reply to a notification. */
  isUnlocked(): boolean;
  newIdempotencyKey(): string;
  /** Called when the undo window starts; the vote is sent at its end. */
  onUndoWindow(item: WaitingApproval, reason: string): void;
  onRejected(item: WaitingApproval): void;
  /**
   * Called when the approval was not rejected, or when it is unknown whether it was. The user must review the approval;
   * the rejection form contains the reason.
   *
   * @param failed whether an attempt to reject the approval failed; `false` if there was no attempt
   */
  onNotRejected(item: WaitingApproval, reason: string, failed: boolean): void;
}

/**
 * Rejects an approval with the reason that the user typed as a reply to a notification, if the operating system
 * supports replies. Only the approval in the notification is rejected: it is loaded again, must be identical in round,
 * digest (computed here) and displayed data, and must not require a signature. Otherwise the approval is opened with
 * the reason in the form, and nothing is sent. No other vote can be cast from a notification.
 */
export class NotificationReplyHandler {
  private readonly cancelByItemKey = new Map<string, () => void>();

  constructor(private readonly options: NotificationReplyHandlerOptions) {}

  async reply(item: WaitingApproval, text: string): Promise<void> {
    const reason = text.trim();
    const { clock, isUnlocked, signsEveryVote, onUndoWindow, onNotRejected, newIdempotencyKey } = this.options;
    const key = getWaitingItemKey(item);
    if (this.cancelByItemKey.has(key)) return;
    const votes =
      reason === '' || reason.length > MAX_REASON_LENGTH || !isUnlocked() || signsEveryVote()
        ? undefined
        : await this.prepareVotes(item);
    if (votes === undefined) return onNotRejected(item, reason, false);
    const idempotencyKey = newIdempotencyKey();
    this.cancelByItemKey.set(
      key,
      clock.schedule(UNDO_WINDOW_MS, () => {
        this.cancelByItemKey.delete(key);
        void this.send(votes, item, reason, idempotencyKey);
      }),
    );
    onUndoWindow(item, reason);
  }

  /** @returns whether there was something to undo */
  undo(item: WaitingApproval): boolean {
    const cancel = this.cancelByItemKey.get(getWaitingItemKey(item));
    this.cancelByItemKey.delete(getWaitingItemKey(item));
    cancel?.();
    return cancel !== undefined;
  }

  /** Cancels pending replies, so that nothing is sent after sign-out or quitting. */
  stop(): void {
    for (const stop of this.cancelByItemKey.values()) stop();
    this.cancelByItemKey.clear();
  }

  private async prepareVotes(item: WaitingApproval): Promise<Votes | undefined> {
    const client = this.options.getClient(item.serverId);
    try {
      const approval = await client?.getApproval({ approvalId: item.approvalId });
      if (client === undefined || approval === undefined) return undefined;
      const { status, canDecide, signatureRequired } = approval;
      if (
        status !== 'pending' ||
        !canDecide.allowed ||
        signatureRequired ||
        !isDeepStrictEqual(toWaitingApproval(item.serverId, approval), item)
      )
        return undefined;
      // A separate record: the window cannot vote on an approval that was shown only in a notification.
      const shown = new DisplayedApprovals();
      shown.record(approval, 'opened');
      return new Votes({ client, displayedApprovals: shown, signer: undefined });
    } catch {
      return undefined;
    }
  }

  private async send(votes: Votes, item: WaitingApproval, reason: string, idempotencyKey: string): Promise<void> {
    const { approvalId, round, digest } = item;
    // A missing response counts as a failure: the user must open the approval to see its status.
    const result = await votes
      .vote({ approvalId, round, subjectDigest: digest, decision: 'reject', comment: reason, idempotencyKey })
      .catch(() => undefined);
    if (result?.ok === true) this.options.onRejected(item);
    else this.options.onNotRejected(item, reason, true);
  }
}
