import type { ReportedUsage } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/**
 * Merges the token counts of a stream part into the previous counts, which only grow. Servers report them in `usage`,
 * at the end or with each part, in `x_groq.usage` (Groq) and in `choices[0].usage` (Moonshot).
 */
export function mergeReportedUsage(chunk: object, previous: ReportedUsage): ReportedUsage {
  const { usage, x_groq: groq, choices } = chunk as Readonly<Record<string, unknown>>;
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return [usage, readMember(groq, 'usage'), readMember(choice, 'usage')]
    .filter(isJsonObject)
    .map(readUsage)
    .reduce<ReportedUsage>(mergeLargest, previous);
}

function readUsage(usage: object): ReportedUsage {
  const details = readMember(usage, 'prompt_tokens_details') ?? readMember(usage, 'input_tokens_details');
  const cacheReadTokens = maxDefined(
    readCount(details, 'cached_tokens'),
    // DeepSeek, Moonshot, Anthropic via a gateway.
    readCount(usage, 'prompt_cache_hit_tokens'),
    readCount(usage, 'cached_tokens'),
    readCount(usage, 'cache_read_input_tokens'),
  );
  const cacheWriteTokens = maxDefined(
    // OpenRouter, LiteLLM, Anthropic via a gateway.
    readCount(details, 'cache_write_tokens'),
    readCount(details, 'cache_creation_tokens'),
    readCount(usage, 'cache_creation_input_tokens'),
  );
  const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const prompt = readCount(usage, 'prompt_tokens') ?? readCount(usage, 'input_tokens');
  const reportedInputTokens = isCacheCountedSeparately(usage, prompt, cached) ? (prompt ?? 0) + cached : prompt;
  const outputTokens = readOutputTokens(usage, reportedInputTokens ?? 0);
  const total = readCount(usage, 'total_tokens');
  const hasOnlyTotal = (reportedInputTokens ?? 0) === 0 && total !== undefined;
  return {
    inputTokens: hasOnlyTotal && outputTokens !== undefined ? Math.max(0, total - outputTokens) : reportedInputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(hasOnlyTotal && outputTokens === undefined ? { totalTokens: total } : {}),
  };
}

/**
 * Returns whether cached tokens are counted separately from prompt tokens, as Anthropic does, instead of as part of
 * them. This is the case if there are more cached tokens than prompt tokens, if the field names are those of Anthropic,
 * or if the total is the sum of prompt, cached and completion tokens.
 */
function isCacheCountedSeparately(usage: object, prompt: number | undefined, cached: number): boolean {
  if (cached === 0) return false;
  const completionTokens = readCount(usage, 'completion_tokens') ?? readCount(usage, 'output_tokens') ?? 0;
  const total = readCount(usage, 'total_tokens');
  const isAnthropic =
    readCount(usage, 'prompt_tokens') === undefined &&
    (readCount(usage, 'cache_read_input_tokens') ?? readCount(usage, 'cache_creation_input_tokens')) !== undefined;
  return isAnthropic || cached > (prompt ?? 0) || total === (prompt ?? 0) + cached + completionTokens;
}

/**
 * Returns the output tokens. Most servers include reasoning in the completion tokens, but some count it separately
 * (Gemini, xAI). In that case, the total is larger than its parts, or there are more reasoning tokens than completion
 * tokens.
 */
function readOutputTokens(usage: object, inputTokens: number): number | undefined {
  const completionTokens = readCount(usage, 'completion_tokens') ?? readCount(usage, 'output_tokens');
  const total = readCount(usage, 'total_tokens');
  const reasoningTokens =
    maxDefined(
      readCount(readMember(usage, 'completion_tokens_details'), 'reasoning_tokens'),
      readCount(readMember(usage, 'output_tokens_details'), 'reasoning_tokens'),
      readCount(usage, 'reasoning_tokens'),
    ) ?? 0;
  const reportedTokens = completionTokens ?? (reasoningTokens > 0 ? 0 : undefined);
  const rest = total === undefined || inputTokens === 0 ? undefined : Math.max(0, total - inputTokens);
  if (reportedTokens === undefined) return rest;
  return Math.max(reportedTokens, rest ?? 0, reasoningTokens > reportedTokens ? reportedTokens + reasoningTokens : 0);
}

function mergeLargest(previous: ReportedUsage, current: ReportedUsage): ReportedUsage {
  return {
    inputTokens: maxDefined(previous.inputTokens, current.inputTokens),
    outputTokens: maxDefined(previous.outputTokens, current.outputTokens),
    cacheReadTokens: maxDefined(previous.cacheReadTokens, current.cacheReadTokens),
    cacheWriteTokens: maxDefined(previous.cacheWriteTokens, current.cacheWriteTokens),
    totalTokens: maxDefined(previous.totalTokens, current.totalTokens),
  };
}

function maxDefined(...counts: readonly (number | undefined)[]): number | undefined {
  const defined = counts.filter((each) => each !== undefined);
  return defined.length === 0 ? undefined : Math.max(...defined);
}

function readMember(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function readCount(value: unknown, name: string): number | undefined {
  const count = readMember(value, name);
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : undefined;
}
