import type { ModelRequest, ModelUsage } from '../model-provider.js';

/** About as many as tokenizers make of English. */
const CHARACTERS_A_TOKEN = 4;
/** How many times smaller than the estimate a count may be, and be believed. */
const MAX_UNDERCOUNT = 16;

/** What a provider tells of the tokens of an answer. Some tell nothing, or only a part, or nought of what is there. */
export interface ReportedUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** Input and output together, where it is not told what is which. */
  readonly totalTokens?: number | undefined;
}

/**
 * What an answer has used: as the provider tells, and estimated where it doesn't. A budget that counts nothing would never be
 * used up.
 *
 * @param answered texts, values, and numbers of characters that the model has written, thoughts among them
 */
export function modelUsage(
  reported: ReportedUsage,
  request: ModelRequest,
  answered: readonly (string | number)[],
): ModelUsage {
  const input = countOf(reported.inputTokens);
  const output = countOf(reported.outputTokens);
  const written = estimatedTokens(answered);
  const given = estimatedTokens([request.system, request.messages, request.tools, request.outputSchema ?? '']);
  const cacheReadTokens = countOf(reported.cacheReadTokens) ?? 0;
  const cacheWriteTokens = countOf(reported.cacheWriteTokens) ?? 0;
  const cached = cacheReadTokens + cacheWriteTokens;
  const isInputKnown = input !== undefined && isBelievable(Math.max(input, cached), given);
  const isOutputKnown = output !== undefined && isBelievable(output, written);
  // What was cached was given, whatever is said of the rest.
  const inputTokens = Math.max(isInputKnown ? input : given, cached);
  const outputTokens = isOutputKnown ? output : written;
  const total = isInputKnown && isOutputKnown ? 0 : (countOf(reported.totalTokens) ?? 0);
  return {
    inputTokens,
    // What is more than the estimates may be thoughts, which nobody sees.
    outputTokens: Math.max(outputTokens, total - inputTokens),
    ...(cacheReadTokens === 0 ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === 0 ? {} : { cacheWriteTokens }),
    ...(isInputKnown && isOutputKnown ? {} : { estimated: true as const }),
  };
}

/**
 * Whether as many tokens can be what was given or written. Tokens of several characters are common, those of many are not: a
 * server that only begins to count says 1 of a long answer.
 */
function isBelievable(count: number, estimated: number): boolean {
  return count * MAX_UNDERCOUNT >= estimated;
}

function countOf(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function estimatedTokens(parts: readonly unknown[]): number {
  return Math.ceil(parts.reduce((sum: number, part) => sum + lengthOf(part), 0) / CHARACTERS_A_TOKEN);
}

function lengthOf(part: unknown): number {
  if (typeof part === 'number') return part;
  return typeof part === 'string' ? part.length : JSON.stringify(part).length;
}
