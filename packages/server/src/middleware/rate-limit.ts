import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { refusal } from '../app/problem.js';

const WINDOW_SECONDS = 60;
/** Failed sign-ins of one address in a minute. */
const MAX_FAILED_SIGN_INS = 300;

/** Counts requests by address and by principal (`Limits:RequestsPerMinute`); each host counts for itself. */
export class RateLimits {
  private readonly requests: RateLimiterMemory;
  private readonly failures = new RateLimiterMemory({ points: MAX_FAILED_SIGN_INS, duration: WINDOW_SECONDS });

  constructor(requestsPerMinute: number) {
    this.requests = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  }

  /** Holds for what is counted from now on. */
  setRequestsPerMinute(requestsPerMinute: number): void {
    this.requests.points = requestsPerMinute;
  }

  /** @throws {CountersignError} `rate_limited` */
  async countAddress(address: string): Promise<void> {
    await consume(this.requests, `address ${address}`);
    const failed = await this.failures.get(address);
    if (failed !== null && failed.consumedPoints >= MAX_FAILED_SIGN_INS) throw tooMany(failed);
  }

  /** @throws {CountersignError} `rate_limited` */
  async countPrincipal(type: string, id: string): Promise<void> {
    await consume(this.requests, `principal ${type} ${id}`);
  }

  async countFailedSignIn(address: string): Promise<void> {
    await this.failures.penalty(address);
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (result) {
    if (result instanceof RateLimiterRes) throw tooMany(result);
    throw result;
  }
}

function tooMany(result: RateLimiterRes): Error {
  return refusal('rate_limited', 'Too many requests within a minute.', {
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
