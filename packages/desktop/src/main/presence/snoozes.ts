import { LONGEST_SNOOZE_MS, type Snoozed } from '../../common/presence.js';
import type { Clock } from './clock.js';
import type { KeptSnooze, PresenceFile } from './presence-file.js';
import { keyOf, type WaitingItem } from './waiting-item.js';

/** Nobody puts off more; it bounds the file. */
const MAX_SNOOZES = 2_000;

/**
 * Approvals that somebody has put off on this device. Nothing changes on the server: others see what they saw. One wakes at
 * its time, at the latest when it is due; one that is asked again is another one, and was never put off.
 */
export class Snoozes {
  constructor(
    private readonly file: PresenceFile,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @param until in ms since the epoch. @returns whether it was put off: only to a time to come, and not forever */
  put({ serverId, approvalId, round, dueAt }: WaitingItem, until: number): boolean {
    const now = this.clock.now();
    if (until <= now || until > now + LONGEST_SNOOZE_MS) return false;
    const due = dueAt === null ? null : Date.parse(dueAt);
    const others = this.kept.filter((each) => keyOf(each) !== keyOf({ serverId, approvalId, round }));
    if (others.length >= MAX_SNOOZES) return false;
    // What is overdue when it is put off was seen to be so.
    this.keep([...others, { serverId, approvalId, round, until, dueAt: due !== null && due > now ? due : null }]);
    return true;
  }

  /** @returns whether it was asleep */
  wake(item: Pick<WaitingItem, 'serverId' | 'approvalId' | 'round'>): boolean {
    const left = this.kept.filter((each) => keyOf(each) !== keyOf(item));
    if (left.length === this.kept.length) return false;
    this.keep(left);
    return true;
  }

  /** What is due to wake. */
  due(): readonly KeptSnooze[] {
    const now = this.clock.now();
    return this.kept.filter((each) => endOf(each) <= now);
  }

  /** All that is asleep (`keyOf`). */
  get keys(): ReadonlySet<string> {
    return new Set(this.kept.map(keyOf));
  }

  /** Forgets what does not wait any more. @param waiting all that waits at the server */
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

  /** When the next one wakes, in ms since the epoch. */
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
