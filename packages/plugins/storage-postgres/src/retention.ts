import type { LoggerPort } from '@countersign/core/plugin';

const INTERVAL_MS = 10 * 60_000;

/** Something that is kept for a while. */
export interface Kept {
  /** In the plural, for the log. */
  readonly what: string;
  /** Forgets what is old. */
  forget(): Promise<unknown>;
}

export interface Retention {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Forgets what is old from time to time. Several servers may do so beside each other. */
export function startRetention(all: readonly Kept[], log: Pick<LoggerPort, 'warn'>): Retention {
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
    for (const { what, forget } of all) {
      try {
        await forget();
      } catch (error) {
        log.warn({ err: error }, `old ${what} could not be deleted; the next attempt follows`);
      }
    }
  }
}
