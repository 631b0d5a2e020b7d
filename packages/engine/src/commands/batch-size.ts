import type { EngineOptions } from '../engine-options.js';

/**
 * Returns how many waiting commands the next transaction takes; 0 if no transaction may start now.
 *
 * Waiting commands are divided among the free transactions, so that one batch is evaluated while the database writes
 * another. A remainder smaller than `minConcurrentBatch` joins the batch: alone, it would have to wait until this
 * transaction ends.
 *
 * @param runningBatchCount number of transactions in progress
 */
export function nextBatchSize(
  waitingCount: number,
  runningBatchCount: number,
  options: Pick<EngineOptions, 'maxBatch' | 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  const { maxBatch, maxConcurrentBatches, minConcurrentBatch } = options;
  const freeCount = maxConcurrentBatches - runningBatchCount;
  if (freeCount <= 0 || waitingCount < (runningBatchCount === 0 ? 1 : minConcurrentBatch)) return 0;
  const share = Math.ceil(waitingCount / freeCount);
  return Math.min(maxBatch, waitingCount - share < minConcurrentBatch ? waitingCount : share);
}

/**
 * Returns the number of waiting commands that starts a batch without waiting for another turn of the event loop: enough
 * for a batch of the minimum size in every free transaction.
 */
export function countForAllFreeBatches(
  runningBatchCount: number,
  { maxConcurrentBatches, minConcurrentBatch }: Pick<EngineOptions, 'maxConcurrentBatches' | 'minConcurrentBatch'>,
): number {
  return (maxConcurrentBatches - runningBatchCount) * minConcurrentBatch;
}
