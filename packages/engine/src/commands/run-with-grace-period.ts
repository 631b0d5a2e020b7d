/** Results of the tasks that finished in time, and the tasks that continue. */
export interface GracePeriodResult<K, T> {
  /** Results in the order in which the tasks started. */
  readonly results: readonly T[];
  readonly unfinished: ReadonlyMap<K, Promise<T>>;
}

/**
 * Starts the tasks one after another and waits for those that finish immediately or within the grace period. Slower
 * tasks do not delay the others.
 *
 * @param tasks must never reject
 * @param grace called after all tasks have started; resolves when the wait for unfinished tasks ends
 */
export async function runWithGracePeriod<K, T>(
  tasks: Iterable<readonly [K, () => Promise<T>]>,
  grace: () => Promise<void>,
): Promise<GracePeriodResult<K, T>> {
  const started = new Map<K, Promise<T>>();
  const resultsByKey = new Map<K, T>();
  for (const [key, start] of tasks) {
    const work = start();
    const recorded = work.then((result) => void resultsByKey.set(key, result));
    started.set(key, work);
    await Promise.race([recorded, nextTurn()]);
  }
  if (resultsByKey.size < started.size) await Promise.race([Promise.all(started.values()), grace()]);
  const results: T[] = [];
  const unfinished = new Map<K, Promise<T>>();
  for (const [key, work] of started) {
    if (resultsByKey.has(key)) results.push(resultsByKey.get(key) as T);
    else unfinished.set(key, work);
  }
  return { results, unfinished };
}

/** Waits for one turn of the event loop, in which tasks that wait for nothing finish. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
