import { MAX_SNOOZE_MS, type Snoozed } from '../../common/presence.js';
import type { Clock } from './clock.js';
import type { StoredSnooze, PresenceFile } from './presence-file.js';
import { waitingItemKey, type WaitingItem } from './waiting-item.js';

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
  add({ serverId, approvalId, round, dueAt }: WaitingItem, until: number): boolean {
    const now = this.clock.now();
    if (until <= now || until > now + MAX_SNOOZE_MS) return false;
    const due = dueAt === null ? null : Date.parse(dueAt);
    const others = this.stored.filter(
      (each) => waitingItemKey(each) !== waitingItemKey({ serverId, approvalId, round }),
    );
    if (others.length >= MAX_SNOOZES) return false;
    // A due date that had passed when the approval was snoozed is ignored, because the user has seen it.
    this.save([...others, { serverId, approvalId, round, until, dueAt: due !== null && due > now ? due : null }]);
    return true;
  }

  /** @returns whether the approval was snoozed */
  remove(item: Pick<WaitingItem, 'serverId' | 'approvalId' | 'round'>): boolean {
    const remaining = this.stored.filter((each) => waitingItemKey(each) !== waitingItemKey(item));
    if (remaining.length === this.stored.length) return false;
    this.save(remaining);
    return true;
  }

  /** Returns the snoozes that have ended. */
  due(): readonly StoredSnooze[] {
    const now = this.clock.now();
    return this.stored.filter((each) => getSnoozeEnd(each) <= now);
  }

  /** All snoozed approvals (`waitingItemKey`). */
  get keys(): ReadonlySet<string> {
    return new Set(this.stored.map(waitingItemKey));
  }

  /**
   * Deletes snoozes of approvals that no longer wait.
   *
   * @param waiting all approvals that wait at the server
   */
  keepOnly(serverId: string, waiting: readonly WaitingItem[]): void {
    const keys = new Set(waiting.map(waitingItemKey));
    const remaining = this.stored.filter((each) => each.serverId !== serverId || keys.has(waitingItemKey(each)));
    if (remaining.length < this.stored.length) this.save(remaining);
  }

  list(serverId: string): readonly Snoozed[] {
    return this.stored
      .filter((each) => each.serverId === serverId)
      .map((each) => ({ approvalId: each.approvalId, round: each.round, until: getSnoozeEnd(each) }));
  }

  /** End of the next snooze, in ms since the epoch. */
  get nextEnd(): number | undefined {
    return this.stored.length === 0 ? undefined : Math.min(...this.stored.map(getSnoozeEnd));
  }

  private get stored(): readonly StoredSnooze[] {
    return this.file.value.snoozed;
  }

  private save(snoozed: readonly StoredSnooze[]): void {
    this.file.update({ snoozed: [...snoozed] });
  }
}

function getSnoozeEnd({ until, dueAt }: StoredSnooze): number {
  return dueAt === null ? until : Math.min(until, dueAt);
}
