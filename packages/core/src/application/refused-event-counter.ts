import type { RefusedEvents } from '../ports/inbound-events.js';
import type { LoggerPort } from '../ports/logger.js';
import type { StoragePort } from '../ports/storage.js';

/** Minimum time between two writes, in ms, regardless of the number of refusals. */
const PAUSE_MS = 1_000;
const MINUTE_MS = 60_000;
/**
 * Maximum number of waiting kinds of refusals (one per source and reason). Only a flood during a database outage
 * reaches it.
 */
const MAX_WAITING = 1_000;

/** Counts refusals of the same kind together, and writes the counts sequentially. */
export class RefusedEventCounter {
  #waiting = new Map<string, RefusedEvents>();
  #running: Promise<void> | undefined;
  #hurried = false;
  #endPause: (() => void) | undefined;

  constructor(
    private readonly storage: Pick<StoragePort, 'recordRefusedEvents'>,
    private readonly log: Pick<LoggerPort, 'error'>,
  ) {}

  count(refused: RefusedEvents): void {
    const { via, source, code, receivedAt } = refused;
    const kind = JSON.stringify([via, source, code, Math.floor(receivedAt / MINUTE_MS)]);
    const before = this.#waiting.get(kind);
    if (before === undefined && this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.set(kind, before === undefined ? refused : { ...before, count: before.count + refused.count });
    this.#running ??= this.#run();
  }

  /** Resolves when all refusals counted so far are written. */
  async settled(): Promise<void> {
    this.#hurried = true;
    this.#endPause?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()];
      this.#waiting = new Map();
      try {
        await this.storage.recordRefusedEvents(batch);
      } catch (error) {
        this.log.error({ err: error, refused: batch.length }, 'could not record refused events');
      }
      if (!this.#hurried)
        await new Promise<void>((resolve) => setTimeout((this.#endPause = resolve), PAUSE_MS).unref());
    }
    this.#running = undefined;
    this.#hurried = false;
  }
}
