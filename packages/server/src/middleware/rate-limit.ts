import type { ClockPort, LoggerPort, RateCountsStore } from '@countersign/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { createRefusal } from '../app/problem.js';
import { getClientNetwork } from './client-network.js';
import { SharedCounts } from './shared-counts.js';

const WINDOW_SECONDS = 60;
/**
 * Limit of failed requests without a valid credential per network, as a fraction of the request limit of a principal:
 * 300 by default.
 */
const FAILURES_PER_REQUEST = 1 / 200;

/**
 * Fraction of a limit at which a server starts to share the count: a caller below this fraction on each of 20 servers
 * stays below the limit in total.
 */
const SHARING_THRESHOLD = 1 / 20;
/** Key prefix of networks; no actor type begins with it. */
const NETWORK_PREFIX = 'network ';

/**
 * Counts the requests of each principal (`Limits:RequestsPerMinute`), and failures without a principal by network. Many
 * users share an address behind a proxy, so successful requests are neither counted nor refused by address. Servers
 * with the same database share their counts.
 */
export class RateLimits {
  private readonly requests: RateLimiterMemory;
  private readonly failures: RateLimiterMemory;

  private readonly shared: SharedCounts;

  /** @param clock clock of the database, so that servers agree on the minute */
  constructor(
    requestsPerMinute: number,
    counts: RateCountsStore,
    clock: Pick<ClockPort, 'now'>,
    log: Pick<LoggerPort, 'info' | 'warn'>,
  ) {
    this.requests = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
    this.failures = new RateLimiterMemory({ points: toFailureLimit(requestsPerMinute), duration: WINDOW_SECONDS });
    this.shared = new SharedCounts(
      counts,
      clock,
      log,
      (key, count) => void (key.startsWith(NETWORK_PREFIX) ? this.failures : this.requests).penalty(key, count),
    );
  }

  /** Sets the limit for requests that are counted from now on. */
  setRequestsPerMinute(requestsPerMinute: number): void {
    this.requests.points = requestsPerMinute;
    this.failures.points = toFailureLimit(requestsPerMinute);
  }

  /** @throws {ApiError} `rate_limited` */
  async countPrincipal(type: string, id: string): Promise<void> {
    await this.consume(this.requests, `${type} ${id}`);
  }

  /**
   * Counts a failed request without a principal: missing sign-in, bad token, bad signature.
   *
   * @throws {ApiError} `rate_limited`, which replaces the failure in the response
   */
  async countFailure(address: string): Promise<void> {
    await this.consume(this.failures, `${NETWORK_PREFIX}${getClientNetwork(address)}`);
  }

  /** Exchanges the counts with other servers now. */
  exchange(): Promise<void> {
    return this.shared.exchange();
  }

  stop(): void {
    this.shared.stop();
  }

  private async consume(limiter: RateLimiterMemory, key: string): Promise<void> {
    const { consumedPoints } = await limiter.consume(key).catch((result: unknown) => {
      throw result instanceof RateLimiterRes ? createRateLimitError(result) : result;
    });
    const minSharedPoints = Math.max(1, Math.floor(limiter.points * SHARING_THRESHOLD));
    if (consumedPoints >= minSharedPoints) this.shared.add(key, 1);
  }
}

function createRateLimitError(result: RateLimiterRes): Error {
  return createRefusal('rate_limited', 'Too many requests within a minute.', {
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}

function toFailureLimit(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * FAILURES_PER_REQUEST));
}
