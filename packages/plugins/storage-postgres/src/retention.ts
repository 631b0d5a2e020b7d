import type { LoggerPort } from '@countersign/core/plugin';

const INTERVAL_MS = 10 * 60_000;

/** Data with a limited retention. */
export interface RetentionTask {
  /** Name of the data in the plural, for the log. */
  readonly dataName: string;
  /** Deletes old data. */
  deleteOldData(): Promise<unknown>;
}

export interface Retention {
  /** Stops after the sweep in progress. */
  stop(): Promise<void>;
}

/** Deletes old data at regular intervals. Several servers may do so concurrently. */
export function startRetention(tasks: readonly RetentionTask[], log: Pick<LoggerPort, 'warn'>): Retention {
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };

  async function sweep(): Promise<void> {
    for (const { dataName, deleteOldData } of tasks) {
      try {
        await deleteOldData();
      } catch (error) {
        log.warn({ err: error }, `could not delete old ${dataName}; will retry`);
      }
    }
  }
}
