import { MAX_SNOOZE_MS, type SnoozedApproval } from '../../common/presence.js';
import type { Clock } from './clock.js';
import type { StoredSnooze, PresenceFile } from './presence-file.js';
import { getWaitingItemKey, type WaitingApproval } from './waiting-item.js';

/** Maximum number of snoozes, which limits the size of the file. */
const MAX_SNOOZES = 2_000;

/**
 * Approvals that the user has snoozed on this device. The server is not involved, and others see no change. A snooze
 * ends at the chosen time, but no later than the due date. A new round of a snoozed approval is not snoozed.
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
  add({ serverId, approvalId, round, dueAt }: WaitingApproval, until: number): boolean {
    const now = this.clock.now();
    if (until <= now || until > now + MAX_SNOOZE_MS) return false;
    const dueTime = dueAt === null ? null : Date.parse(dueAt);
    const others = this.stored.filter(
      (each) => getWaitingItemKey(each) !== getWaitingItemKey({ serverId, approvalId, round }),
    );
    if (others.length >= MAX_SNOOZES) return false;
    // A due date that had passed when the approval was snoozed is ignored, because the user has seen it.
    this.save([
      ...others,
      { serverId, approvalId, round, until, dueAt: dueTime !== null && dueTime > now ? dueTime : null },
    ]);
    return true;
  }

  /** @returns whether the approval was snoozed */
  remove(item: Pick<WaitingApproval, 'serverId' | 'approvalId' | 'round'>): boolean {
    const remaining = this.stored.filter((each) => getWaitingItemKey(each) !== getWaitingItemKey(item));
    if (remaining.length === this.stored.length) return false;
    this.save(remaining);
    return true;
  }

  /** Returns the snoozes that have ended. */
  getEnded(): readonly StoredSnooze[] {
    const now = this.clock.now();
    return this.stored.filter((each) => getSnoozeEnd(each) <= now);
  }

  /** Keys of all snoozed approvals (`getWaitingItemKey`). */
  get keys(): ReadonlySet<string> {
    return new Set(this.stored.map(getWaitingItemKey));
  }

  /**
   * Deletes snoozes of approvals that no longer wait.
   *
   * @param waiting all approvals that wait at the server
   */
  keepOnly(serverId: string, waiting: readonly WaitingApproval[]): void {
    const keys = new Set(waiting.map(getWaitingItemKey));
    const remaining = this.stored.filter((each) => each.serverId !== serverId || keys.has(getWaitingItemKey(each)));
    if (remaining.length < this.stored.length) this.save(remaining);
  }

  list(serverId: string): readonly SnoozedApproval[] {
    return this.stored
      .filter((each) => each.serverId === serverId)
      .map((each) => ({ approvalId: each.approvalId, round: each.round, until: getSnoozeEnd(each) }));
  }

  /** Time at which the next snooze ends, in ms since the epoch; `undefined` if there are no snoozes. */
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
