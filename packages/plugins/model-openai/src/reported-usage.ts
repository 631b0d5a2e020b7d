import type { ReportedUsage } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/**
 * Merges the token counts of a stream part into the previous counts, which only grow. Servers report them in `usage`,
 * at the end or with each part, in `x_groq.usage` (Groq) and in `choices[0].usage` (Moonshot).
 */
export function reportedUsage(chunk: object, before: ReportedUsage): ReportedUsage {
  const { usage, x_groq: groq, choices } = chunk as Readonly<Record<string, unknown>>;
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return [usage, memberOf(groq, 'usage'), memberOf(choice, 'usage')]
    .filter(isJsonObject)
    .map(readUsage)
    .reduce<ReportedUsage>(larger, before);
}

function readUsage(usage: object): ReportedUsage {
  const details = memberOf(usage, 'prompt_tokens_details') ?? memberOf(usage, 'input_tokens_details');
  const cacheReadTokens = most(
    count(details, 'cached_tokens'),
    // DeepSeek, Moonshot, Anthropic via a gateway.
    count(usage, 'prompt_cache_hit_tokens'),
    count(usage, 'cached_tokens'),
    count(usage, 'cache_read_input_tokens'),
  );
  const cacheWriteTokens = most(
    // OpenRouter, LiteLLM, Anthropic via a gateway.
    count(details, 'cache_write_tokens'),
    count(details, 'cache_creation_tokens'),
    count(usage, 'cache_creation_input_tokens'),
  );
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const prompt = count(usage, 'prompt_tokens') ?? count(usage, 'input_tokens');
  const reported = isBeside(usage, prompt, cached) ? (prompt ?? 0) + cached : prompt;
  const outputTokens = outputOf(usage, reported ?? 0);
  const total = count(usage, 'total_tokens');
  const isTotalAlone = (reported ?? 0) === 0 && total !== undefined;
  return {
    inputTokens: isTotalAlone && outputTokens !== undefined ? Math.max(0, total - outputTokens) : reported,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(isTotalAlone && outputTokens === undefined ? { totalTokens: total } : {}),
  };
}

/**
 * Returns whether cached tokens are counted separately from prompt tokens, as Anthropic does, instead of as part of
 * them: there are more of them, the names are those of Anthropic, or the total exceeds the sum by them.
 */
function isBeside(usage: object, prompt: number | undefined, cached: number): boolean {
  if (cached === 0) return false;
  const written = count(usage, 'completion_tokens') ?? count(usage, 'output_tokens') ?? 0;
  const total = count(usage, 'total_tokens');
  const isAnthropic =
    count(usage, 'prompt_tokens') === undefined &&
    (count(usage, 'cache_read_input_tokens') ?? count(usage, 'cache_creation_input_tokens')) !== undefined;
  return isAnthropic || cached > (prompt ?? 0) || total === (prompt ?? 0) + cached + written;
}

/**
 * Returns the output tokens. Most servers include reasoning in the completion tokens, some count it separately (Gemini,
 * xAI): then the total is larger than its parts, or there are more reasoning tokens than completion tokens.
 */
function outputOf(usage: object, inputTokens: number): number | undefined {
  const written = count(usage, 'completion_tokens') ?? count(usage, 'output_tokens');
  const total = count(usage, 'total_tokens');
  const thoughts =
    most(
      count(memberOf(usage, 'completion_tokens_details'), 'reasoning_tokens'),
      count(memberOf(usage, 'output_tokens_details'), 'reasoning_tokens'),
      count(usage, 'reasoning_tokens'),
    ) ?? 0;
  const known = written ?? (thoughts > 0 ? 0 : undefined);
  const rest = total === undefined || inputTokens === 0 ? undefined : Math.max(0, total - inputTokens);
  if (known === undefined) return rest;
  return Math.max(known, rest ?? 0, thoughts > known ? known + thoughts : 0);
}

function larger(before: ReportedUsage, now: ReportedUsage): ReportedUsage {
  return {
    inputTokens: most(before.inputTokens, now.inputTokens),
    outputTokens: most(before.outputTokens, now.outputTokens),
    cacheReadTokens: most(before.cacheReadTokens, now.cacheReadTokens),
    cacheWriteTokens: most(before.cacheWriteTokens, now.cacheWriteTokens),
    totalTokens: most(before.totalTokens, now.totalTokens),
  };
}

function most(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function count(value: unknown, name: string): number | undefined {
  const found = memberOf(value, name);
  return Number.isSafeInteger(found) && (found as number) >= 0 ? (found as number) : undefined;
}
