const STALLED_AFTER_MS = 30_000;

/**
 * Runs work `count` times, `width` in parallel.
 *
 * @throws {Error} nothing has completed for a long time
 */
export async function runConcurrently(
  count: number,
  width: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  let done = 0;
  const runLane = async (): Promise<void> => {
    while (next < count) {
      await task(next++);
      done += 1;
    }
  };
  let lastDone = -1;
  let watch: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (done === lastDone)
        reject(new Error(`No progress for ${STALLED_AFTER_MS / 1000} s, after ${done} of ${count}.`));
      lastDone = done;
    }, STALLED_AFTER_MS);
  });
  try {
    await Promise.race([Promise.all(Array.from({ length: width }, runLane)), stalled]);
  } finally {
    clearInterval(watch);
  }
}
