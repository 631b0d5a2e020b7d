/** Share of its lifetime after which a token is renewed; the rest leaves time for retries. */
const RENEWAL_FRACTION = 2 / 3;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Times of an access token by the clock of this machine, in ms since the epoch. */
export interface TokenTimes {
  readonly receivedAt: number;
  /** `receivedAt` plus `expires_in` (RFC 6749, 5.1), so that the issuer's clock is irrelevant; `null` if not stated. */
  readonly expiresAt: number | null;
}

/**
 * Determines when an access token must be renewed: at two thirds of its lifetime, and after a failure only after a
 * pause, which doubles from 1 s to 30 s.
 */
export class RenewalSchedule {
  private pauseMs = 0;
  private failedAt = Number.NEGATIVE_INFINITY;

  /** @param now the time in ms since the epoch */
  constructor(readonly now: () => number = () => Date.now()) {}

  /** Returns whether the token can be sent. */
  isValid({ expiresAt }: TokenTimes): boolean {
    return expiresAt === null || this.now() < expiresAt;
  }

  /**
   * Returns whether the token is due for renewal. This is also true if the clock was set back, because the age of the
   * token is then unknown.
   */
  isDue({ receivedAt, expiresAt }: TokenTimes): boolean {
    if (expiresAt === null) return false;
    const now = this.now();
    return now < receivedAt || now >= receivedAt + (expiresAt - receivedAt) * RENEWAL_FRACTION;
  }

  /**
   * Returns whether renewal is paused after a failure. The pause ends when the token expires, so that renewal is tried
   * again.
   */
  isPaused({ expiresAt }: TokenTimes): boolean {
    const now = this.now();
    const hasExpiredSince = expiresAt !== null && this.failedAt < expiresAt && expiresAt <= now;
    return this.failedAt <= now && now < this.failedAt + this.pauseMs && !hasExpiredSince;
  }

  recordSuccess(): void {
    this.pauseMs = 0;
  }

  recordFailure(): void {
    this.pauseMs = Math.min(Math.max(this.pauseMs * 2, MIN_PAUSE_MS), MAX_PAUSE_MS);
    this.failedAt = this.now();
  }
}
