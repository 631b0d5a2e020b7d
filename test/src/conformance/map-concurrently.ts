/** Maps items with limited concurrency. The results keep the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  maxConcurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const remaining = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of remaining) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrency, items.length) }, worker));
  return results;
}
