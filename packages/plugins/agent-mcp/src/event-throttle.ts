import { setTimeout as sleep } from 'node:timers/promises';

const EVENTS_PER_SECOND = 1_000;
const BYTES_PER_SECOND = 8_388_608;
/** Allowed burst: as much as the rates permit in this time, in milliseconds. */
const BURST_MS = 1_000;

/**
 * Limits how fast the events of a stream are read: a server that sends more must wait, so that it does not slow down
 * others.
 */
export class EventThrottle {
  /** The time at which the rates permit all data read so far, in milliseconds. */
  #due = 0;

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds),
  ) {}

  /** Waits if the data so far exceeds the allowed burst. */
  async take(bytes: number): Promise<void> {
    const now = this.now();
    this.#due = Math.max(this.#due, now) + Math.max(1_000 / EVENTS_PER_SECOND, (bytes * 1_000) / BYTES_PER_SECOND);
    const aheadMs = this.#due - now - BURST_MS;
    // Timers are too coarse to wait for each event.
    if (aheadMs >= 10) await this.wait(aheadMs);
  }
}
