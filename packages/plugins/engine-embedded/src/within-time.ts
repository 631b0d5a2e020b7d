/** Results that were ready in time, and work that continues. */
export interface WithinTimeResult<K, T> {
  /** Results in the order in which the work started. */
  readonly done: readonly T[];
  readonly late: ReadonlyMap<K, Promise<T>>;
}

/**
 * Starts each work in turn and waits for work that finishes soon: immediately, or within the grace period. Slower work
 * does not delay the rest.
 *
 * @param tasks must never reject
 * @param grace resolves when the wait for unfinished work ends, after all work has started
 */
export async function withinTime<K, T>(
  tasks: Iterable<readonly [K, () => Promise<T>]>,
  grace: () => Promise<void>,
): Promise<WithinTimeResult<K, T>> {
  const started = new Map<K, Promise<T>>();
  const results = new Map<K, T>();
  for (const [key, start] of tasks) {
    const work = start();
    const recorded = work.then((result) => void results.set(key, result));
    started.set(key, work);
    await Promise.race([recorded, nextTurn()]);
  }
  if (results.size < started.size) await Promise.race([Promise.all(started.values()), grace()]);
  const done: T[] = [];
  const late = new Map<K, Promise<T>>();
  for (const [key, work] of started) {
    if (results.has(key)) done.push(results.get(key) as T);
    else late.set(key, work);
  }
  return { done, late };
}

/** Waits for a turn of the event loop, in which work that waits for nothing finishes. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
