const STALLED_AFTER_MS = 30_000;

/**
 * Runs a task `count` times, `concurrency` at a time.
 *
 * @throws {Error} if nothing has completed for a long time
 */
export async function runConcurrently(
  count: number,
  concurrency: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let nextIndex = 0;
  let completedCount = 0;
  const runWorker = async (): Promise<void> => {
    while (nextIndex < count) {
      await task(nextIndex++);
      completedCount += 1;
    }
  };
  let lastCompletedCount = -1;
  let watchdog: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    watchdog = setInterval(() => {
      if (completedCount === lastCompletedCount)
        reject(new Error(`No progress for ${STALLED_AFTER_MS / 1000} s, after ${completedCount} of ${count} tasks.`));
      lastCompletedCount = completedCount;
    }, STALLED_AFTER_MS);
  });
  try {
    await Promise.race([Promise.all(Array.from({ length: concurrency }, runWorker)), stalled]);
  } finally {
    clearInterval(watchdog);
  }
}
