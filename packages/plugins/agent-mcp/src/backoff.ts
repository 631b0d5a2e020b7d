import { computeExponentialBackoffMs } from '@countersign/model';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Maximum pause that a server can request. */
const MAX_REQUESTED_PAUSE_MS = 600_000;

/** Exponential backoff between attempts, until one succeeds. A server may request longer pauses. */
export class Backoff {
  #failures = 0;
  /** Milliseconds since the epoch. */
  #pausedUntil = 0;
  /** End of the pause that the server requested. */
  #requestedPauseEnd = 0;

  constructor(private readonly now: () => number) {}

  /**
   * Records a failure.
   *
   * @param requestedMs the pause that the server requests
   * @returns the time to wait, in milliseconds
   */
  recordFailure(requestedMs = 0): number {
    this.#failures += 1;
    const pause = computeExponentialBackoffMs(this.#failures, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    const requestedPause = Math.min(requestedMs, MAX_REQUESTED_PAUSE_MS);
    this.#requestedPauseEnd = this.now() + requestedPause;
    const wait = Math.max(pause, requestedPause);
    this.#pausedUntil = this.now() + wait;
    return wait;
  }

  recordSuccess(): void {
    this.#failures = 0;
    this.#requestedPauseEnd = 0;
  }

  /**
   * Whether the next attempt must wait: more than one attempt has failed since the last success, or the server
   * requested a pause.
   */
  get mustWait(): boolean {
    return this.#failures > 1 || this.now() < this.#requestedPauseEnd;
  }

  /** Milliseconds until the next attempt, at least the shortest pause. */
  get remainingMs(): number {
    return Math.max(this.#pausedUntil - this.now(), FIRST_PAUSE_MS);
  }
}
