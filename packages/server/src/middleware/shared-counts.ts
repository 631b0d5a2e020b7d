import { createHash } from 'node:crypto';
import { FailureLog, type ClockPort, type LoggerPort, type RateCountsStore } from '@countersign/core';

const EXCHANGE_EVERY_MS = 2_000;
/** Each minute has a counter of its own, so that nothing older is ever heard of. */
const MINUTE_MS = 60_000;
/** So long after a minute its counter is looked at once more: others send what they counted in it until then. */
const LAST_LOOK_MS = EXCHANGE_EVERY_MS;

interface Shared {
  readonly key: string;
  /** Counted here since the last exchange. */
  pending: number;
  /** The minute that the figures below are about, counted from the epoch. */
  readonly minute: number;
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
  /** Of each key the minute it was last counted in. */
  private readonly entries = new Map<string, Shared>();
  /** Minutes that are over, until the last look at their counters. */
  private earlier: Shared[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly failures: FailureLog;

  /**
   * @param clock the same for all servers, but for fractions of a second
   * @param onOthers hears how much others have counted for a key since the last exchange
   */
  constructor(
    private readonly store: RateCountsStore,
    private readonly clock: Pick<ClockPort, 'now'>,
    log: Pick<LoggerPort, 'info' | 'warn'>,
    private readonly onOthers: (key: string, count: number) => void,
  ) {
    this.failures = new FailureLog(log, 'rate limits are not shared with other servers now');
  }

  add(key: string, count: number): void {
    this.entry(key, this.minute()).pending += count;
    this.schedule();
  }

  /** Where the database does not answer, each server counts for itself until it does: a limit that refused everybody then would do more harm than what it keeps off. */
  async exchange(): Promise<void> {
    const now = this.clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    for (const { key, pending, minute: last } of [...this.entries.values()])
      if (pending > 0) this.entry(key, minute);
      else if (last < minute) this.end(key);
    const sent: { readonly entry: Shared; readonly counter: string; readonly count: number }[] = [];
    for (const entry of this.earlier) sent.push({ entry, counter: counterOf(entry), count: 0 });
    this.earlier = this.earlier.filter((entry) => now < (entry.minute + 1) * MINUTE_MS + LAST_LOOK_MS);
    for (const entry of this.entries.values()) {
      if (entry.pending === 0) continue;
      sent.push({ entry, counter: counterOf(entry), count: entry.pending });
      entry.sent += entry.pending;
      entry.pending = 0;
    }
    if (sent.length === 0) return;
    try {
      const totals = await this.store.addCounts(new Map(sent.map(({ counter, count }) => [counter, count])));
      for (const { entry, counter } of sent) this.hear(entry, totals.get(counter) ?? 0);
      this.failures.succeeded();
    } catch (error) {
      // Whether the counts arrived is not known, so what comes next tells nothing of the others.
      for (const { entry } of sent) entry.heard = undefined;
      this.failures.failed(error);
    }
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private hear(entry: Shared, total: number): void {
    const others = total - entry.sent;
    const more = entry.heard === undefined ? 0 : others - entry.heard;
    entry.heard = others;
    if (more > 0) this.onOthers(entry.key, more);
  }

  /** The entry of a key, begun again in each minute. */
  private entry(key: string, minute: number): Shared {
    const known = this.entries.get(key);
    // A clock that was set back must not make this server take its own counts for those of others.
    if (known !== undefined && known.minute >= minute) return known;
    if (known !== undefined) this.end(key);
    const entry = { key, pending: known?.pending ?? 0, minute, sent: 0, heard: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  /** What others counted since the last exchange is still to be heard, also where this key is counted on. */
  private end(key: string): void {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry !== undefined) this.earlier.push(entry);
  }

  private minute(): number {
    return Math.floor(this.clock.now() / MINUTE_MS);
  }

  private schedule(): void {
    if (this.stopped || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      void this.exchange().then(() => {
        this.timer = undefined;
        if (this.entries.size + this.earlier.length > 0) this.schedule();
      });
    }, EXCHANGE_EVERY_MS).unref();
  }
}

/** Addresses and names of people are not kept in the counters. */
function counterOf({ key, minute }: Shared): string {
  return createHash('sha256').update(`${minute} ${key}`).digest('base64url');
}
