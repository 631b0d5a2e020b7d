import type { AgentUsage } from '@countersign/model';
import type { ModelPrice, ModelUsage } from '../../contributions/model-provider.js';
import { computeCostMicros } from './money.js';

/** Maximum token count in one response. Higher counts are errors, and their sums would not be exact. */
const MAX_TOKENS = 1_000_000_000;

/**
 * Returns whether all token counts are whole numbers between 0 and the maximum. Negative counts would increase the
 * remaining budget.
 */
export function isValidUsage({
  inputTokens,
  outputTokens,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
}: ModelUsage): boolean {
  const uncachedTokens = inputTokens - cacheReadTokens - cacheWriteTokens;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, uncachedTokens].every(
    (count) => Number.isSafeInteger(count) && count >= 0 && count <= MAX_TOKENS,
  );
}

/** Returns the usage with its cost. */
export function withCost(usage: ModelUsage, price: ModelPrice | undefined): AgentUsage {
  return { ...usage, costMicros: price === undefined ? null : computeCostMicros(usage, price) };
}
