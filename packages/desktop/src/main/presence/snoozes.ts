import { LONGEST_SNOOZE_MS, type Snoozed } from '../../common/presence.js';
import type { Clock } from './clock.js';
import type { KeptSnooze, PresenceFile } from './presence-file.js';
import { keyOf, type WaitingItem } from './waiting-item.js';

/** More than any user snoozes; limits the file. */
const MAX_SNOOZES = 2_000;

/**
 * Approvals that the user has snoozed on this device. The server is not involved, and others see no change. A snooze
 * ends at its time, at the latest at the due date. A new round is never snoozed.
 */
export class Snoozes {
  constructor(
    private readonly file: PresenceFile,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /**
   * @param until in ms since the epoch
   * @returns whether the approval was snoozed: only to a future time within the maximum
   */
  put({ serverId, approvalId, round, dueAt }: WaitingItem, until: number): boolean {
    const now = this.clock.now();
    if (until <= now || until > now + LONGEST_SNOOZE_MS) return false;
    const due = dueAt === null ? null : Date.parse(dueAt);
    const others = this.kept.filter((each) => keyOf(each) !== keyOf({ serverId, approvalId, round }));
    if (others.length >= MAX_SNOOZES) return false;
    // A due date that had passed when the approval was snoozed is ignored, because the user has seen it.
    this.keep([...others, { serverId, approvalId, round, until, dueAt: due !== null && due > now ? due : null }]);
    return true;
  }

  /** @returns whether the approval was snoozed */
  wake(item: Pick<WaitingItem, 'serverId' | 'approvalId' | 'round'>): boolean {
    const left = this.kept.filter((each) => keyOf(each) !== keyOf(item));
    if (left.length === this.kept.length) return false;
    this.keep(left);
    return true;
  }

  /** Returns the snoozes that have ended. */
  due(): readonly KeptSnooze[] {
    const now = this.clock.now();
    return this.kept.filter((each) => endOf(each) <= now);
  }

  /** All snoozed approvals (`keyOf`). */
  get keys(): ReadonlySet<string> {
    return new Set(this.kept.map(keyOf));
  }

  /**
   * Deletes snoozes of approvals that no longer wait.
   *
   * @param waiting all approvals that wait at the server
   */
  keepOnly(serverId: string, waiting: readonly WaitingItem[]): void {
    const keys = new Set(waiting.map(keyOf));
    const left = this.kept.filter((each) => each.serverId !== serverId || keys.has(keyOf(each)));
    if (left.length < this.kept.length) this.keep(left);
  }

  of(serverId: string): readonly Snoozed[] {
    return this.kept
      .filter((each) => each.serverId === serverId)
      .map((each) => ({ approvalId: each.approvalId, round: each.round, until: endOf(each) }));
  }

  /** End of the next snooze, in ms since the epoch. */
  get next(): number | undefined {
    return this.kept.length === 0 ? undefined : Math.min(...this.kept.map(endOf));
  }

  private get kept(): readonly KeptSnooze[] {
    return this.file.value.snoozed;
  }

  private keep(snoozed: readonly KeptSnooze[]): void {
    this.file.change({ snoozed: [...snoozed] });
  }
}

function endOf({ until, dueAt }: KeptSnooze): number {
  return dueAt === null ? until : Math.min(until, dueAt);
}
