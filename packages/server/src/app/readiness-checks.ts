import type { ReadinessCheck } from '@countersign/contract';
import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import { withTimeout } from './with-timeout.js';

/** Time limit of a readiness check, so that a health response is sent within a second. */
export const CHECK_TIMEOUT_MS = 900;

interface CheckRun {
  readonly startedAt: number;
  readonly result: Promise<ReadinessCheck>;
  /** Whether the check is still running, possibly after its time limit. */
  isRunning: boolean;
}

/**
 * Runs the readiness checks. Anyone may request readiness at any rate, and a check may write to a disk or use a
 * connection, so anonymous callers share results for a second. While a run of a check exceeds its time limit, the check
 * is not started again, because each run may occupy one of the few threads that read files.
 */
export class ReadinessChecks {
  readonly #last = new Map<string, CheckRun>();

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly log: Pick<LoggerPort, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param maxAgeMs maximum age of a result that may be reused, in ms */
  runCheck(check: ReadinessCheckContribution, maxAgeMs: number): Promise<ReadinessCheck> {
    const last = this.#last.get(check.name);
    if (last !== undefined) {
      const age = this.now() - last.startedAt;
      if ((last.isRunning && age >= CHECK_TIMEOUT_MS) || age < maxAgeMs) return last.result;
    }
    const work = (async () => check.check())();
    const checkRun: CheckRun = { startedAt: this.now(), result: this.#awaitResult(check.name, work), isRunning: true };
    const markSettled = (): void => void (checkRun.isRunning = false);
    work.then(markSettled, markSettled);
    this.#last.set(check.name, checkRun);
    return checkRun.result;
  }

  async #awaitResult(name: string, work: ReturnType<ReadinessCheckContribution['check']>): Promise<ReadinessCheck> {
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
