import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@countersign/contract';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { Votes } from '../vote/votes.js';
import type { Clock } from './clock.js';
import { keyOf, waitingItemOf, type WaitingItem } from './waiting-item.js';

/** How long a reply can be undone, in ms: the same as for a decision in the window. */
const GRACE_MS = 5_000;
/** The maximum length of a comment. */
const LONGEST = 10_000;

export type RejectClient = Pick<Client, 'getApproval' | 'decideApproval' | 'decideApprovals'>;

interface ReplyRejectOptions {
  readonly clock: Clock;
  /** `undefined`: no user is signed in there any more. */
  clientOf(serverId: string): RejectClient | undefined;
  /** Whether the user wants every vote signed, which requires a dialog. */
  signsEvery(): boolean;
  /** Returns whether the session is unlocked, so that the user is certainly at the machine. */
  isUnlocked(): boolean;
  newIdempotencyKey(): string;
  /** Called when the undo window starts; the vote is sent at its end. */
  onGrace(item: WaitingItem, reason: string): void;
  onRejected(item: WaitingItem): void;
  /**
   * Called when nothing is sent from here: the user must review the approval, with the text they wrote.
   *
   * @param failed whether sending was attempted
   */
  onOpen(item: WaitingItem, reason: string, failed: boolean): void;
}

/**
 * Rejects an approval with the reason that the user wrote into a notification, if the operating system supports
 * replies. Only the notified approval is rejected: it is loaded again, must be identical in round, digest (computed
 * here) and displayed data, and must not require a signature. Otherwise the approval is opened with the reason in the
 * form, and nothing is sent. A rejection needs no more than that; no other decision is made from a notification.
 */
export class ReplyReject {
  private readonly graces = new Map<string, () => void>();

  constructor(private readonly options: ReplyRejectOptions) {}

  async reply(item: WaitingItem, text: string): Promise<void> {
    const reason = text.trim();
    const { clock, isUnlocked, signsEvery, onGrace, onOpen, newIdempotencyKey } = this.options;
    const key = keyOf(item);
    if (this.graces.has(key)) return;
    const votes =
      reason === '' || reason.length > LONGEST || !isUnlocked() || signsEvery() ? undefined : await this.votesOn(item);
    if (votes === undefined) return onOpen(item, reason, false);
    const idempotencyKey = newIdempotencyKey();
    this.graces.set(
      key,
      clock.after(GRACE_MS, () => {
        this.graces.delete(key);
        void this.send(votes, item, reason, idempotencyKey);
      }),
    );
    onGrace(item, reason);
  }

  /** @returns whether there was something to undo */
  takeBack(item: WaitingItem): boolean {
    const stop = this.graces.get(keyOf(item));
    this.graces.delete(keyOf(item));
    stop?.();
    return stop !== undefined;
  }

  /** Cancels pending replies: nothing is decided after sign-out or quitting. */
  stop(): void {
    for (const stop of this.graces.values()) stop();
    this.graces.clear();
  }

  private async votesOn(item: WaitingItem): Promise<Votes | undefined> {
    const client = this.options.clientOf(item.serverId);
    try {
      const approval = await client?.getApproval({ approvalId: item.approvalId });
      if (client === undefined || approval === undefined) return undefined;
      const { status, canDecide, signatureRequired } = approval;
      if (
        status !== 'pending' ||
        !canDecide.allowed ||
        signatureRequired ||
        !isDeepStrictEqual(waitingItemOf(item.serverId, approval), item)
      )
        return undefined;
      // A separate record: the window cannot vote on an approval that was only notified.
      const shown = new DisplayedApprovals();
      shown.record(approval, 'opened');
      return new Votes({ client, shown, signer: undefined });
    } catch {
      return undefined;
    }
  }

  private async send(votes: Votes, item: WaitingItem, reason: string, idempotencyKey: string): Promise<void> {
    const { approvalId, round, digest } = item;
    // The window shows the result, including a missing response.
    const answer = await votes
      .vote({ approvalId, round, subjectDigest: digest, decision: 'reject', comment: reason, idempotencyKey })
      .catch(() => undefined);
    if (answer?.ok === true) this.options.onRejected(item);
    else this.options.onOpen(item, reason, true);
  }
}
