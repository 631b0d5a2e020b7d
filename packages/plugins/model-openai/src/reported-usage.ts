import type { ReportedUsage } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';

/**
 * What the parts of a stream tell of the tokens of the answer so far: counts only grow. Servers tell it in `usage`, at the end
 * or with each part, in `x_groq.usage` (Groq) and in `choices[0].usage` (Moonshot).
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
  const inputTokens = count(usage, 'prompt_tokens') ?? count(usage, 'input_tokens');
  return {
    inputTokens,
    outputTokens: outputOf(usage, inputTokens ?? 0),
    cacheReadTokens:
      count(memberOf(usage, 'prompt_tokens_details'), 'cached_tokens') ??
      count(memberOf(usage, 'input_tokens_details'), 'cached_tokens') ??
      // DeepSeek, Moonshot, Anthropic behind a gateway.
      count(usage, 'prompt_cache_hit_tokens') ??
      count(usage, 'cached_tokens') ??
      count(usage, 'cache_read_input_tokens'),
    cacheWriteTokens: count(usage, 'cache_creation_input_tokens'),
  };
}

/**
 * Most servers count thoughts among the tokens of the completion, some beside them (Gemini, xAI): then the total is larger
 * than its parts, or there are more tokens of thoughts than of all that was written.
 */
function outputOf(usage: object, inputTokens: number): number | undefined {
  const written = count(usage, 'completion_tokens') ?? count(usage, 'output_tokens');
  const total = count(usage, 'total_tokens');
  const thoughts =
    count(memberOf(usage, 'completion_tokens_details'), 'reasoning_tokens') ??
    count(memberOf(usage, 'output_tokens_details'), 'reasoning_tokens') ??
    count(usage, 'reasoning_tokens') ??
    0;
  const known = written ?? (thoughts > 0 ? 0 : undefined);
  const rest = total === undefined || inputTokens === 0 ? undefined : Math.max(0, total - inputTokens);
  if (known === undefined) return rest;
  return Math.max(known, rest ?? 0, thoughts > known ? known + thoughts : 0);
}

function larger(before: ReportedUsage, now: ReportedUsage): ReportedUsage {
  const most = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
  return {
    inputTokens: most(before.inputTokens, now.inputTokens),
    outputTokens: most(before.outputTokens, now.outputTokens),
    cacheReadTokens: most(before.cacheReadTokens, now.cacheReadTokens),
    cacheWriteTokens: most(before.cacheWriteTokens, now.cacheWriteTokens),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function count(value: unknown, name: string): number | undefined {
  const found = memberOf(value, name);
  return Number.isSafeInteger(found) && (found as number) >= 0 ? (found as number) : undefined;
}
