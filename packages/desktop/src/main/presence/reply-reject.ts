import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@countersign/contract';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { Votes } from '../vote/votes.js';
import type { Clock } from './clock.js';
import { keyOf, waitingItemOf, type WaitingItem } from './waiting-item.js';

/** How long a reply can be taken back, in ms: as long as a decision in the window. */
const GRACE_MS = 5_000;
/** As much as a comment may be. */
const LONGEST = 10_000;

export type RejectClient = Pick<Client, 'getApproval' | 'decideApproval' | 'decideApprovals'>;

interface ReplyRejectOptions {
  readonly clock: Clock;
  /** `undefined`: nobody is signed in there any more. */
  clientOf(serverId: string): RejectClient | undefined;
  /** Whether the person wants each vote signed, which takes a dialog. */
  signsEvery(): boolean;
  /** Whether it is certain that the person themselves sits there. */
  isUnlocked(): boolean;
  newIdempotencyKey(): string;
  /** It is sent in some seconds, unless the person takes it back. */
  onGrace(item: WaitingItem, reason: string): void;
  onRejected(item: WaitingItem): void;
  /** It is not sent from here: the person is to look at it, with what they wrote. @param failed whether that was tried */
  onOpen(item: WaitingItem, reason: string, failed: boolean): void;
}

/**
 * Rejects with the reason that somebody has written into a notification, where the operating system takes replies. Only what
 * the notification said is rejected: the approval is loaded once more, has to be the very same in its round, its digest (which
 * is computed here) and what was shown of it, and needs no signature. In every other case it is opened, with the reason in the
 * form, and nothing is sent. To say no needs no more than that; nothing else is decided from a notification.
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

  /** @returns whether there was something to take back */
  takeBack(item: WaitingItem): boolean {
    const stop = this.graces.get(keyOf(item));
    this.graces.delete(keyOf(item));
    stop?.();
    return stop !== undefined;
  }

  /** Whoever signs out or quits decides nothing after that. */
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
      // A ledger of its own: what was told of by a notification, the window can't vote on.
      const shown = new DisplayedApprovals();
      shown.record(approval, 'opened');
      return new Votes({ client, shown, signer: undefined });
    } catch {
      return undefined;
    }
  }

  private async send(votes: Votes, item: WaitingItem, reason: string, idempotencyKey: string): Promise<void> {
    const { approvalId, round, digest } = item;
    // What came of it is seen in the window, also where no answer came.
    const answer = await votes
      .vote({ approvalId, round, subjectDigest: digest, decision: 'reject', comment: reason, idempotencyKey })
      .catch(() => undefined);
    if (answer?.ok === true) this.options.onRejected(item);
    else this.options.onOpen(item, reason, true);
  }
}
