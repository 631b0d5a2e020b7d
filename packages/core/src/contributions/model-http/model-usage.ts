import type { ModelRequest, ModelUsage } from '../model-provider.js';

/** Approximate average of tokenizers for English. */
const CHARACTERS_PER_TOKEN = 4;
/** Maximum factor by which a credible count may be smaller than the estimate. */
const MAX_UNDERCOUNT_FACTOR = 16;

/** Token counts reported by a provider. Some providers report none, only some, or zero for existing tokens. */
export interface ReportedUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** Sum of input and output, for providers that do not separate them. */
  readonly totalTokens?: number | undefined;
}

/**
 * Returns the usage of a response: the reported counts, or estimates for missing ones. Without estimates, a budget
 * would never be exhausted.
 *
 * @param outputParts the texts that the language model wrote, including reasoning, or their numbers of characters
 */
export function toModelUsage(
  reported: ReportedUsage,
  request: ModelRequest,
  outputParts: readonly (string | number)[],
): ModelUsage {
  const input = validCount(reported.inputTokens);
  const output = validCount(reported.outputTokens);
  const estimatedOutput = estimateTokens(outputParts);
  const estimatedInput = estimateTokens([request.system, request.messages, request.tools, request.outputSchema ?? '']);
  const cacheReadTokens = validCount(reported.cacheReadTokens) ?? 0;
  const cacheWriteTokens = validCount(reported.cacheWriteTokens) ?? 0;
  const cachedTokens = cacheReadTokens + cacheWriteTokens;
  const isInputKnown = input !== undefined && isPlausible(Math.max(input, cachedTokens), estimatedInput);
  const isOutputKnown = output !== undefined && isPlausible(output, estimatedOutput);
  // Cached tokens are input, whatever the other counts are.
  const inputTokens = Math.max(isInputKnown ? input : estimatedInput, cachedTokens);
  const outputTokens = isOutputKnown ? output : estimatedOutput;
  const total = isInputKnown && isOutputKnown ? 0 : (validCount(reported.totalTokens) ?? 0);
  return {
    inputTokens,
    // Tokens beyond the estimates may be hidden reasoning.
    outputTokens: Math.max(outputTokens, total - inputTokens),
    ...(cacheReadTokens === 0 ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
    ...(isInputKnown && isOutputKnown ? {} : { estimated: true as const }),
  };
}

/**
 * Returns whether a token count is credible. Tokens of several characters are common, tokens of many are not: a server
 * that stops counting early reports 1 token for a long response.
 */
function isPlausible(count: number, estimated: number): boolean {
  return count * MAX_UNDERCOUNT_FACTOR >= estimated;
}

function validCount(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function estimateTokens(parts: readonly unknown[]): number {
  return Math.ceil(parts.reduce((sum: number, part) => sum + characterCount(part), 0) / CHARACTERS_PER_TOKEN);
}

function characterCount(part: unknown): number {
  if (typeof part === 'number') return part;
  return typeof part === 'string' ? part.length : JSON.stringify(part).length;
}
