import { compileExpression, FeelEvaluation, type FeelUnaryTests, isNumber, formatNumber } from '@countersign/feel';
import type { CompileContext } from './compile-context.js';

/**
 * Returns the rank of each output value for PRIORITY and OUTPUT ORDER (DMN 1.3, 8.2.10): the first has the highest
 * priority. Only strings and numbers have a rank, as in Zeebe 8.6.
 *
 * @returns `undefined` if there are other values, which is recorded
 */
export function compileRanks(
  context: CompileContext,
  allowed: FeelUnaryTests,
  elementId: string,
): ReadonlyMap<string, number> | undefined {
  const ranks = new Map<string, number>();
  for (const value of readConstants(allowed.source)) {
    if (typeof value === 'string' || isNumber(value)) {
      const key = toRankKey(value);
      if (!ranks.has(key)) ranks.set(key, ranks.size);
      continue;
    }
    const message = 'outputValues that define an order must be strings and numbers, separated by commas.';
    context.problems.add(elementId, 'unordered_output_values', message);
    return undefined;
  }
  return ranks;
}

/** Returns the key of a string or a number in the ranks, equal for equal values; other values have no rank. */
export function toRankKey(value: unknown): string {
  if (typeof value === 'string') return `text ${value}`;
  return isNumber(value) ? `number ${formatNumber(value)}` : '';
}

/** Returns the values of unary tests that only list constants; `[null]` for all other tests. */
function readConstants(source: string): readonly unknown[] {
  try {
    const list = compileExpression(`[${source}\n]`);
    if (list.reads.length > 0) return [null];
    const values = list.evaluateIn(new FeelEvaluation({ variables: new Map(), now: 0 }));
    return Array.isArray(values) ? values : [null];
  } catch {
    return [null];
  }
}
