import { growingPause } from '@countersign/model';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Maximum pause that a server can request. */
const LONGEST_ASKED_MS = 600_000;

/** Pauses between attempts: each is twice as long as the one before, until an attempt succeeds. */
export class Backoff {
  #failures = 0;
  /** Milliseconds since the epoch. */
  #until = 0;
  /** End of the pause that the server requested. */
  #askedUntil = 0;

  constructor(private readonly now: () => number) {}

  /**
   * Records a failure.
   *
   * @param askedMs the pause that the server requests
   * @returns the time to wait, in milliseconds
   */
  fail(askedMs = 0): number {
    this.#failures += 1;
    const pause = growingPause(this.#failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    const asked = Math.min(askedMs, LONGEST_ASKED_MS);
    this.#askedUntil = this.now() + asked;
    const wait = Math.max(pause, asked);
    this.#until = this.now() + wait;
    return wait;
  }

  succeed(): void {
    this.#failures = 0;
    this.#askedUntil = 0;
  }

  /** Whether the next attempt must wait: more than one attempt failed, or the server requested a pause. */
  get mustWait(): boolean {
    return this.#failures > 1 || this.now() < this.#askedUntil;
  }

  /** Milliseconds until the next attempt, at least the shortest pause. */
  get remaining(): number {
    return Math.max(this.#until - this.now(), FIRST_PAUSE_MS);
  }
}
