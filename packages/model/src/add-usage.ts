import type { AgentUsage } from './agent.js';

/** Returns the sum of two usages. The cost is unknown if either cost is unknown. */
export function addUsage(one: AgentUsage, other: AgentUsage): AgentUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...addOptionalTokens('cacheReadTokens', one, other),
    ...addOptionalTokens('cacheWriteTokens', one, other),
    ...(one.estimated === true || other.estimated === true ? { estimated: true } : {}),
    costMicros: one.costMicros === null || other.costMicros === null ? null : one.costMicros + other.costMicros,
  };
}

function addOptionalTokens(
  name: 'cacheReadTokens' | 'cacheWriteTokens',
  one: AgentUsage,
  other: AgentUsage,
): Partial<AgentUsage> {
  const sum = (one[name] ?? 0) + (other[name] ?? 0);
  return sum === 0 ? {} : { [name]: sum };
}
