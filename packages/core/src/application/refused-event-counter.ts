import type { RefusedEventCount } from '../ports/inbound-events.js';
import type { LoggerPort } from '../ports/logger.js';
import type { StoragePort } from '../ports/storage.js';

/** Minimum time between two writes, in ms, regardless of the number of refusals. */
const FLUSH_INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * Maximum number of counts that wait to be written: one per source, reason and minute. Only a flood of refusals during
 * a database outage reaches it.
 */
const MAX_PENDING_COUNTS = 1_000;

/** Combines refusals with the same source, reason and minute into one count, and writes the counts sequentially. */
export class RefusedEventCounter {
  #pendingCounts = new Map<string, RefusedEventCount>();
  #flushPromise: Promise<void> | undefined;
  #isFlushRequested = false;
  #endPause: (() => void) | undefined;

  constructor(
    private readonly storage: Pick<StoragePort, 'recordRefusedEvents'>,
    private readonly log: Pick<LoggerPort, 'error'>,
  ) {}

  count(refusal: RefusedEventCount): void {
    const { via, source, code, receivedAt } = refusal;
    const key = JSON.stringify([via, source, code, Math.floor(receivedAt / MINUTE_MS)]);
    const previous = this.#pendingCounts.get(key);
    if (previous === undefined && this.#pendingCounts.size >= MAX_PENDING_COUNTS) return;
    this.#pendingCounts.set(
      key,
      previous === undefined ? refusal : { ...previous, count: previous.count + refusal.count },
    );
    this.#flushPromise ??= this.#flushPending();
  }

  /** Resolves when all refusals counted so far are written. */
  async flush(): Promise<void> {
    this.#isFlushRequested = true;
    this.#endPause?.();
    await this.#flushPromise;
  }

  async #flushPending(): Promise<void> {
    while (this.#pendingCounts.size > 0) {
      const batch = [...this.#pendingCounts.values()];
      this.#pendingCounts = new Map();
      try {
        await this.storage.recordRefusedEvents(batch);
      } catch (error) {
        this.log.error({ err: error, refused: batch.length }, 'could not record refused events');
      }
      if (!this.#isFlushRequested)
        await new Promise<void>((resolve) => setTimeout((this.#endPause = resolve), FLUSH_INTERVAL_MS).unref());
    }
    this.#flushPromise = undefined;
    this.#isFlushRequested = false;
  }
}
