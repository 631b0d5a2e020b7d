import type { ReadinessCheck } from '@countersign/contract';
import type { LoggerPort, ReadinessCheckContribution } from '@countersign/core';
import { withTimeout } from './with-timeout.js';

/** Health is answered within a second, whatever hangs. */
export const CHECK_TIMEOUT_MS = 900;

interface Look {
  readonly since: number;
  readonly answer: Promise<ReadinessCheck>;
  /** Whether the check still works, which it may do beyond its answer. */
  isWorking: boolean;
}

/**
 * Looks at what readiness depends on. Anybody may ask for it, as often as they like, and a check may write to a disk or take
 * a connection: so strangers share the looks of a second. While a check is beyond its time limit, nobody starts another: each may
 * hold one of the few threads that read files.
 */
export class ReadinessChecks {
  readonly #last = new Map<string, Look>();

  /** @param now milliseconds of a clock that only goes forward */
  constructor(
    private readonly log: Pick<LoggerPort, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param maxAgeMs how old a look of somebody else may be, in ms */
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
      // The cause may name hosts and files; whoever may read the log finds it there.
      this.log.warn({ err: error, check: name }, 'readiness check failed');
      return { name, status: 'fail', detail: 'not responding; see the log' };
    }
  }
}
