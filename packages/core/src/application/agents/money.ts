import type { ModelPrice, ModelUsage } from '../../contributions/model-provider.js';

/** Amounts are whole millionths, so that sums are exact. */
const DECIMAL = /^\d{1,9}(\.\d{1,6})?$/;

/** An amount such as `0.5` or `"0.50"` in millionths; `undefined` where it is none, or has more than six decimals. */
export function toMicros(amount: number | string): number | undefined {
  const text = String(amount).trim();
  if (!DECIMAL.test(text)) return undefined;
  const [whole = '0', fraction = ''] = text.split('.');
  return Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

/**
 * What tokens cost at a price for a million of them, in millionths, rounded up. A price of 1 for a million tokens is one
 * millionth a token.
 */
export function costMicros(
  { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: ModelUsage,
  { input, output, cacheRead = input, cacheWrite = input }: ModelPrice,
): number {
  const exact =
    (inputTokens - cacheReadTokens - cacheWriteTokens) * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  // Binary fractions: 0.1 times 30 is a little more than 3, and not a reason to round up to 4.
  return Math.ceil(Number(exact.toFixed(6)));
}
