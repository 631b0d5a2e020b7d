import type { EngineOptions } from './engine-options.js';

/**
 * Returns how many waiting commands the next transaction takes; 0 while no transaction may start.
 *
 * Waiting commands are divided among the free transactions, so that one batch is evaluated while the database writes
 * another. A remainder smaller than `minConcurrentBatch` joins the batch: alone, it would have to wait until this
 * transaction ends.
 *
 * @param runningBatches number of transactions in progress
 */
export function nextBatchSize(
  waitingCount: number,
  runningBatches: number,
  options: Pick<EngineOptions, 'maxBatch' | 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  const { maxBatch, maxConcurrentBatches, minConcurrentBatch } = options;
  const freeCount = maxConcurrentBatches - runningBatches;
  if (freeCount <= 0 || waitingCount < (runningBatches === 0 ? 1 : minConcurrentBatch)) return 0;
  const share = Math.ceil(waitingCount / freeCount);
  return Math.min(maxBatch, waitingCount - share < minConcurrentBatch ? waitingCount : share);
}

/**
 * Returns how many commands start a batch without waiting for another turn of the event loop: as many as fill all free
 * transactions.
 */
export function countToFillFreeBatches(
  runningBatches: number,
  { maxConcurrentBatches, minConcurrentBatch }: Pick<EngineOptions, 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  return (maxConcurrentBatches - runningBatches) * minConcurrentBatch;
}
