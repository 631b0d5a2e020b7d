import type { ReadinessCheck } from '@countersign/contract';
import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import { withTimeout } from './with-timeout.js';

/** Time limit of a readiness check, so that a health response is sent within a second. */
export const CHECK_TIMEOUT_MS = 900;

interface Look {
  readonly since: number;
  readonly answer: Promise<ReadinessCheck>;
  /** Whether the check is still running, possibly after its time limit. */
  isWorking: boolean;
}

/**
 * Runs the readiness checks. Anyone may request readiness at any rate, and a check may write to a disk or use a
 * connection, so anonymous callers share the results of one second. While a check exceeds its time limit, no second one
 * is started: each may occupy one of the few threads that read files.
 */
export class ReadinessChecks {
  readonly #last = new Map<string, Look>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly log: Pick<LoggerPort, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param maxAgeMs maximum age of a result that may be reused, in ms */
  look(check: ReadinessCheckContribution, maxAgeMs: number): Promise<ReadinessCheck> {
    const last = this.#last.get(check.name);
    if (last !== undefined) {
      const age = this.now() - last.since;
      if ((last.isWorking && age >= CHECK_TIMEOUT_MS) || age < maxAgeMs) return last.answer;
    }
    const work = (async () => check.check())();
    const look: Look = { since: this.now(), answer: this.#answer(check.name, work), isWorking: true };
    const settled = (): void => void (look.isWorking = false);
    work.then(settled, settled);
    this.#last.set(check.name, look);
    return look.answer;
  }

  async #answer(name: string, work: ReturnType<ReadinessCheckContribution['check']>): Promise<ReadinessCheck> {
    try {
      const { status, detail } = await withTimeout(CHECK_TIMEOUT_MS, work);
      return { name, status, detail };
    } catch (error) {
      // The cause may name hosts and files, so only the log contains it.
      this.log.warn({ err: error, check: name }, 'readiness check failed');
      return { name, status: 'fail', detail: 'not responding; see the log' };
    }
  }
}
