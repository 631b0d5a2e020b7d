import type { AgentUsage } from '@countersign/model';
import type { ModelPrice, ModelUsage } from '../../contributions/model-provider.js';
import { costMicros } from './money.js';

/** Of one response: more are a mistake, and sums of them would not be exact. */
const MAX_TOKENS = 1_000_000_000;

/** Whether a provider counts in whole numbers from 0 on: what is less than nothing, or no number, would lift a budget. */
export function isUsage({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: ModelUsage): boolean {
  const rest = inputTokens - cacheReadTokens - cacheWriteTokens;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, rest].every(
    (count) => Number.isSafeInteger(count) && count >= 0 && count <= MAX_TOKENS,
  );
}

/** With what it costs. */
export function pricedUsage(usage: ModelUsage, price: ModelPrice | undefined): AgentUsage {
  return { ...usage, costMicros: price === undefined ? null : costMicros(usage, price) };
}
