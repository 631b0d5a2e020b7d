/** What is done in time, and what goes on. */
export interface InTime<K, T> {
  /** In the order in which it was begun. */
  readonly done: readonly T[];
  readonly late: ReadonlyMap<K, Promise<T>>;
}

/**
 * Begins one piece of work after the other, and waits for those that are done soon: at once, or before the grace is over. What
 * takes longer does not hold up the others.
 *
 * @param works none of which may fail
 * @param grace how long to wait for what is still under way when all have begun
 */
export async function inTime<K, T>(
  works: Iterable<readonly [K, () => Promise<T>]>,
  grace: () => Promise<void>,
): Promise<InTime<K, T>> {
  const begun = new Map<K, Promise<T>>();
  const results = new Map<K, T>();
  for (const [key, begin] of works) {
    const work = begin();
    const noted = work.then((result) => void results.set(key, result));
    begun.set(key, work);
    await Promise.race([noted, turn()]);
  }
  if (results.size < begun.size) await Promise.race([Promise.all(begun.values()), grace()]);
  const done: T[] = [];
  const late = new Map<K, Promise<T>>();
  for (const [key, work] of begun) {
    if (results.has(key)) done.push(results.get(key) as T);
    else late.set(key, work);
  }
  return { done, late };
}

/** A turn of the event loop, in which work that waits for nothing comes to its end. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
