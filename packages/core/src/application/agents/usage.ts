import type { AgentUsage } from '@countersign/model';
import type { ModelPrice, ModelUsage } from '../../contributions/model-provider.js';
import { costMicros } from './money.js';

/** Whether a provider counts in whole numbers from 0 on: what is less than nothing, or no number, would lift a budget. */
export function isUsage({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: ModelUsage): boolean {
  const rest = inputTokens - cacheReadTokens - cacheWriteTokens;
  return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, rest].every(
    (count) => Number.isSafeInteger(count) && count >= 0,
  );
}

/** With what it costs. */
export function pricedUsage(usage: ModelUsage, price: ModelPrice | undefined): AgentUsage {
  return { ...usage, costMicros: price === undefined ? null : costMicros(usage, price) };
}
