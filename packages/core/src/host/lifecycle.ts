import type { LifecycleContribution } from '../contributions/lifecycle.js';
import type { LoggerPort } from '../ports/logger.js';

export interface LifecycleFailure {
  readonly name: string;
  readonly error: unknown;
}

/** Starts parts sequentially and stops them in reverse order. */
export class Lifecycle {
  readonly #started: LifecycleContribution[] = [];
  readonly #logger: LoggerPort;
  readonly #stopTimeoutMs: number;

  constructor(logger: LoggerPort, stopTimeoutMs: number) {
    this.#logger = logger;
    this.#stopTimeoutMs = stopTimeoutMs;
  }

  /**
   * Starts all parts. If a part fails to start, stops the parts that have started.
   *
   * @returns the failure; `undefined` on success
   */
  async start(parts: readonly LifecycleContribution[]): Promise<LifecycleFailure | undefined> {
    for (const part of parts) {
      this.#logger.debug({ part: part.name }, 'starting');
      try {
        await part.start();
      } catch (error) {
        await this.stop();
        return { name: part.name, error };
      }
      this.#started.push(part);
    }
    return undefined;
  }

  /** Stops all running parts. A part that fails or hangs does not prevent the others from being stopped. */
  async stop(): Promise<readonly LifecycleFailure[]> {
    const failures: LifecycleFailure[] = [];
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      this.#logger.debug({ part: part.name }, 'stopping');
      try {
        await this.#withStopTimeout(part.stop(), part.name);
      } catch (error) {
        this.#logger.error({ part: part.name, err: error }, 'a part did not stop properly');
        failures.push({ name: part.name, error });
      }
    }
    return failures;
  }

  async #withStopTimeout(work: Promise<void>, name: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`${name} did not stop within ${this.#stopTimeoutMs} ms`));
      }, this.#stopTimeoutMs);
    });
    try {
      await Promise.race([work, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
