import { growingPause } from '@countersign/model';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** However long a server wants to be left alone. */
const LONGEST_ASKED_MS = 600_000;

/** The pauses between attempts: each is twice as long as the one before, until one succeeds. */
export class Backoff {
  #failures = 0;
  /** Milliseconds since the epoch. */
  #until = 0;
  /** The same, as the other side has asked for it. */
  #askedUntil = 0;

  constructor(private readonly now: () => number) {}

  /**
   * @param askedMs how long the other side wants to be left alone
   * @returns how long to wait, in milliseconds
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

  /** Whether another attempt is left to its time: more than one has failed, or the other side wants to be left alone. */
  get mustWait(): boolean {
    return this.#failures > 1 || this.now() < this.#askedUntil;
  }

  /** Milliseconds until the next attempt, at least the shortest pause. */
  get remaining(): number {
    return Math.max(this.#until - this.now(), FIRST_PAUSE_MS);
  }
}
