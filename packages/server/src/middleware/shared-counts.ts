import { createHash } from 'node:crypto';
import type { ClockPort, LoggerPort, RateCountsStore } from '@countersign/core';

const EXCHANGE_EVERY_MS = 2_000;
const WARN_EVERY_MS = 60_000;
/** Each minute has a counter of its own, so that nothing older is ever heard of. */
const MINUTE_MS = 60_000;

interface Shared {
  /** Counted here since the last exchange. */
  pending: number;
  /** The minute that the figures below are about, counted from the epoch. */
  minute: number;
  /** What this server added to the counter of that minute. */
  sent: number;
  /** What others had added to it at the last exchange; `undefined` where that exchange failed. */
  heard: number | undefined;
}

/**
 * Exchanges counts with the other servers: every two seconds, in one statement, and only for keys that something was counted
 * for since. No request waits for it. What others counted within the current minute is heard of, also where they did before
 * this server counted anything.
 */
export class SharedCounts {
  private readonly entries = new Map<string, Shared>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private warnedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param clock the same for all servers, but for fractions of a second
   * @param onOthers hears how much others have counted for a key since the last exchange
   */
  constructor(
    private readonly store: RateCountsStore,
    private readonly clock: Pick<ClockPort, 'now'>,
    private readonly log: Pick<LoggerPort, 'warn'>,
    private readonly onOthers: (key: string, count: number) => void,
  ) {}

  add(key: string, count: number): void {
    this.entry(key, this.minute()).pending += count;
    this.schedule();
  }

  /** Where the database does not answer, each server counts for itself until it does: a limit that refused everybody then would do more harm than what it keeps off. */
  async exchange(): Promise<void> {
    const minute = this.minute();
    const sent: { readonly key: string; readonly entry: Shared; readonly counter: string; readonly count: number }[] =
      [];
    for (const [key, last] of this.entries) {
      const { pending } = last;
      // A last look at what others added to the counter of the minute before.
      if (last.minute < minute) sent.push({ key, entry: last, counter: counterOf(key, last.minute), count: 0 });
      if (pending > 0) {
        const entry = this.entry(key, minute);
        entry.pending = 0;
        entry.sent += pending;
        sent.push({ key, entry, counter: counterOf(key, entry.minute), count: pending });
      } else if (last.minute < minute) this.entries.delete(key);
    }
    if (sent.length === 0) return;
    try {
      const totals = await this.store.addCounts(new Map(sent.map(({ counter, count }) => [counter, count])));
      for (const { key, entry, counter } of sent) this.hear(key, entry, totals.get(counter) ?? 0);
    } catch (error) {
      // Whether the counts arrived is not known, so what comes next tells nothing of the others.
      for (const { entry } of sent) entry.heard = undefined;
      this.warn(error);
    }
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private hear(key: string, entry: Shared, total: number): void {
    const others = total - entry.sent;
    const more = entry.heard === undefined ? 0 : others - entry.heard;
    entry.heard = others;
    if (more > 0) this.onOthers(key, more);
  }

  /** The entry of a key, begun again in each minute. */
  private entry(key: string, minute: number): Shared {
    const known = this.entries.get(key);
    // A clock that was set back must not make this server take its own counts for those of others.
    if (known !== undefined && known.minute >= minute) return known;
    const entry = { pending: known?.pending ?? 0, minute, sent: 0, heard: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  private minute(): number {
    return Math.floor(this.clock.now() / MINUTE_MS);
  }

  private schedule(): void {
    if (this.stopped || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      void this.exchange().then(() => {
        this.timer = undefined;
        if (this.entries.size > 0) this.schedule();
      });
    }, EXCHANGE_EVERY_MS).unref();
  }

  private warn(error: unknown): void {
    if (Date.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = Date.now();
    this.log.warn({ err: error }, 'rate limits are not shared with other servers now');
  }
}

/** Addresses and names of people are not kept in the counters. */
function counterOf(key: string, minute: number): string {
  return createHash('sha256').update(`${minute} ${key}`).digest('base64url');
}
