import { createHash } from 'node:crypto';
import { FailureLog, type ClockPort, type LoggerPort, type RateCountsStore } from '@countersign/core';

const EXCHANGE_INTERVAL_MS = 2_000;
/** Each minute has a separate counter, so that older counts are never loaded. */
const MINUTE_MS = 60_000;
/**
 * Time between the end of a minute and the last read of its counter: until then, other servers may send counts for that
 * minute.
 */
const LAST_READ_DELAY_MS = EXCHANGE_INTERVAL_MS;

interface SharedCount {
  readonly key: string;
  /** Count of this server since the last exchange. */
  pending: number;
  /** Minute of the counts below, as a number of minutes since the epoch. */
  readonly minute: number;
  /** Count that this server added to the counter of that minute. */
  sent: number;
  /** Count that other servers had added by the last exchange; `undefined` if that exchange failed. */
  lastOthersCount: number | undefined;
}

/**
 * Exchanges counts with the other servers: every two seconds, in one statement, and only for keys that were counted
 * since the last exchange. No request waits for an exchange. Counts of other servers in the current minute are
 * included, even if they precede the first count of this server.
 */
export class SharedCounts {
  /** Entry of each key for the last minute in which it was counted. */
  private readonly entries = new Map<string, SharedCount>();
  /** Entries of past minutes, kept until the last read of their counters. */
  private earlierEntries: SharedCount[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly failures: FailureLog;

  /**
   * @param clock shared by all servers, accurate to fractions of a second
   * @param onOthersCounted receives the count that other servers have added for a key since the last exchange
   */
  constructor(
    private readonly store: RateCountsStore,
    private readonly clock: Pick<ClockPort, 'now'>,
    log: Pick<LoggerPort, 'info' | 'warn'>,
    private readonly onOthersCounted: (key: string, count: number) => void,
  ) {
    this.failures = new FailureLog(log, 'rate limits are not shared with other servers');
  }

  add(key: string, count: number): void {
    this.getOrCreateEntry(key, this.getCurrentMinute()).pending += count;
    this.schedule();
  }

  /**
   * Exchanges counts now. While the database is unavailable, each server uses only its own counts: refusing every
   * request would do more harm than exceeding the limit.
   */
  async exchange(): Promise<void> {
    const now = this.clock.now();
    const currentMinute = Math.floor(now / MINUTE_MS);
    for (const { key, pending, minute: lastMinute } of [...this.entries.values()])
      if (pending > 0) this.getOrCreateEntry(key, currentMinute);
      else if (lastMinute < currentMinute) this.moveToEarlierEntries(key);
    const sentCounts: { readonly entry: SharedCount; readonly counter: string; readonly count: number }[] = [];
    for (const entry of this.earlierEntries) sentCounts.push({ entry, counter: hashCounterKey(entry), count: 0 });
    this.earlierEntries = this.earlierEntries.filter(
      (entry) => now < (entry.minute + 1) * MINUTE_MS + LAST_READ_DELAY_MS,
    );
    for (const entry of this.entries.values()) {
      if (entry.pending === 0) continue;
      sentCounts.push({ entry, counter: hashCounterKey(entry), count: entry.pending });
      entry.sent += entry.pending;
      entry.pending = 0;
    }
    if (sentCounts.length === 0) return;
    try {
      const totals = await this.store.addCounts(new Map(sentCounts.map(({ counter, count }) => [counter, count])));
      for (const { entry, counter } of sentCounts) this.applyTotal(entry, totals.get(counter) ?? 0);
      this.failures.recordSuccess();
    } catch (error) {
      // It is unknown whether the counts arrived, so the next total does not show how much other servers have added.
      for (const { entry } of sentCounts) entry.lastOthersCount = undefined;
      this.failures.recordFailure(error);
    }
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private applyTotal(entry: SharedCount, total: number): void {
    const others = total - entry.sent;
    const newCount = entry.lastOthersCount === undefined ? 0 : others - entry.lastOthersCount;
    entry.lastOthersCount = others;
    if (newCount > 0) this.onOthersCounted(entry.key, newCount);
  }

  /** Returns the entry of a key for a minute. Creates it if necessary. */
  private getOrCreateEntry(key: string, minute: number): SharedCount {
    const existing = this.entries.get(key);
    // If the clock is set back, this server must not mistake its own counts for those of other servers.
    if (existing !== undefined && existing.minute >= minute) return existing;
    if (existing !== undefined) this.moveToEarlierEntries(key);
    const entry = { key, pending: existing?.pending ?? 0, minute, sent: 0, lastOthersCount: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  /**
   * Moves an entry to the earlier entries, because the counts of other servers for its minute must still be read, even
   * if the key is counted again.
   */
  private moveToEarlierEntries(key: string): void {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry !== undefined) this.earlierEntries.push(entry);
  }

  private getCurrentMinute(): number {
    return Math.floor(this.clock.now() / MINUTE_MS);
  }

  private schedule(): void {
    if (this.stopped || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      void this.exchange().then(() => {
        this.timer = undefined;
        if (this.entries.size + this.earlierEntries.length > 0) this.schedule();
      });
    }, EXCHANGE_INTERVAL_MS).unref();
  }
}

/** Hashes a key, so that the counters contain no addresses or names of people. */
function hashCounterKey({ key, minute }: SharedCount): string {
  return createHash('sha256').update(`${minute} ${key}`).digest('base64url');
}
