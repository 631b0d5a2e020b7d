import type { ClockPort, LoggerPort, RateCountsStore } from '@countersign/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refusal } from '../app/problem.js';
import { clientNetwork } from './client-network.js';
import { SharedCounts } from './shared-counts.js';

const WINDOW_SECONDS = 60;
/** Of the requests that one principal may make, the part that may fail without a good credential, by network: 300 by default. */
const FAILURES_PER_REQUEST = 1 / 200;

/** Of a limit, the part from which others are told: who stays below it at each of 20 servers stays below it altogether. */
const SHARED_FROM = 1 / 20;
/** No type of an actor begins like that. */
const OF_NETWORK = 'network ';

/**
 * Counts requests of each principal (`Limits:RequestsPerMinute`), and what fails without a principal by the network it comes
 * from. Many people share an address behind a proxy, so nothing that succeeds is counted or refused by address. Servers
 * on one database count together.
 */
export class RateLimits {
  private readonly requests: RateLimiterMemory;
  private readonly failures: RateLimiterMemory;

  private readonly shared: SharedCounts;

  /** @param clock of the database, so that servers agree on the minute */
  constructor(
    requestsPerMinute: number,
    counts: RateCountsStore,
    clock: Pick<ClockPort, 'now'>,
    log: Pick<LoggerPort, 'info' | 'warn'>,
  ) {
    this.requests = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
    this.failures = new RateLimiterMemory({ points: failuresOf(requestsPerMinute), duration: WINDOW_SECONDS });
    this.shared = new SharedCounts(
      counts,
      clock,
      log,
      (key, count) => void (key.startsWith(OF_NETWORK) ? this.failures : this.requests).penalty(key, count),
    );
  }

  /** Holds for what is counted from now on. */
  setRequestsPerMinute(requestsPerMinute: number): void {
    this.requests.points = requestsPerMinute;
    this.failures.points = failuresOf(requestsPerMinute);
  }

  /** @throws {ApiError} `rate_limited` */
  async countPrincipal(type: string, id: string): Promise<void> {
    await this.consume(this.requests, `${type} ${id}`);
  }

  /**
   * Counts a request that failed and that no principal stands for: nobody signed in, a bad token, a bad signature.
   *
   * @throws {ApiError} `rate_limited`, to be answered instead of the failure
   */
  async countFailure(address: string): Promise<void> {
    await this.consume(this.failures, `${OF_NETWORK}${clientNetwork(address)}`);
  }

  /** Hears now what other servers have counted. */
  exchange(): Promise<void> {
    return this.shared.exchange();
  }

  stop(): void {
    this.shared.stop();
  }

  private async consume(limiter: RateLimiterMemory, key: string): Promise<void> {
    const { consumedPoints } = await limiter.consume(key).catch((result: unknown) => {
      throw result instanceof RateLimiterRes ? tooMany(result) : result;
    });
    const from = Math.max(1, Math.floor(limiter.points * SHARED_FROM));
    if (consumedPoints >= from) this.shared.add(key, 1);
  }
}

function tooMany(result: RateLimiterRes): Error {
  return refusal('rate_limited', 'Too many requests within a minute.', {
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}

function failuresOf(requestsPerMinute: number): number {
  return Math.max(1, Math.floor(requestsPerMinute * FAILURES_PER_REQUEST));
}
