import type { EngineOptions } from './engine-options.js';

/**
 * How many of the commands that wait the next transaction takes; 0 while none may begin.
 *
 * What waits is shared out over the free transactions: one is worked out here while the database writes another. But fewer
 * than `minConcurrentBatch` would not be begun beside this one: left behind, they would only wait for its end.
 *
 * @param underWay transactions that have begun and not ended
 */
export function sizeOfNextBatch(
  waiting: number,
  underWay: number,
  options: Pick<EngineOptions, 'maxBatch' | 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  const { maxBatch, maxConcurrentBatches, minConcurrentBatch } = options;
  const free = maxConcurrentBatches - underWay;
  if (free <= 0 || waiting < (underWay === 0 ? 1 : minConcurrentBatch)) return 0;
  const share = Math.ceil(waiting / free);
  return Math.min(maxBatch, waiting - share < minConcurrentBatch ? waiting : share);
}

/**
 * How many commands are enough to begin with, without a look whether the next turn of the event loop brings more: as many as
 * fill all free transactions.
 */
export function fullBatchSize(
  underWay: number,
  { maxConcurrentBatches, minConcurrentBatch }: Pick<EngineOptions, 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  return (maxConcurrentBatches - underWay) * minConcurrentBatch;
}
