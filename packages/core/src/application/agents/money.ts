import type { ModelPrice, ModelUsage } from '../../contributions/model-provider.js';

/** Matches an amount with at most six decimals: amounts are stored as whole millionths, so that sums are exact. */
const DECIMAL = /^\d{1,9}(\.\d{1,6})?$/;

/**
 * Parses an amount such as `0.5` or `"0.50"` to millionths. Returns `undefined` if it is not an amount or has more than
 * six decimals.
 */
export function toMicros(amount: number | string): number | undefined {
  const text = String(amount).trim();
  if (!DECIMAL.test(text)) return undefined;
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

/**
 * Returns the cost of tokens in millionths, rounded up, at a price per million tokens. A price of 1 per million tokens
 * is one millionth per token.
 */
export function computeCostMicros(
  { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: ModelUsage,
  { input, output, cacheRead = input, cacheWrite = input }: ModelPrice,
): number {
  const unroundedCost =
    (inputTokens - cacheReadTokens - cacheWriteTokens) * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  // Corrects binary fractions: 0.1 times 30 is slightly more than 3, but must not round up to 4.
  return Math.ceil(Number(unroundedCost.toFixed(6)));
}
