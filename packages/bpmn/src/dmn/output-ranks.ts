import { compileExpression, FeelEvaluation, type FeelUnaryTests, isNumber, numberText } from '@countersign/feel';
import type { CompileContext } from './compile-context.js';

/**
 * The rank of each of an output's values, as PRIORITY and OUTPUT ORDER need it (DMN 1.3, 8.2.10): the first is the most
 * important. Only texts and numbers have one, as on Zeebe 8.6. `undefined` where there are others, which is recorded.
 */
export function compileRanks(
  context: CompileContext,
  allowed: FeelUnaryTests,
  elementId: string,
): ReadonlyMap<string, number> | undefined {
  const ranks = new Map<string, number>();
  for (const value of readConstants(allowed.source)) {
    if (typeof value === 'string' || isNumber(value)) {
      const key = rankKey(value);
      if (!ranks.has(key)) ranks.set(key, ranks.size);
      continue;
    }
    const message = 'outputValues that give an order must be texts and numbers, separated by commas.';
    context.problems.add(elementId, 'unordered_output_values', message);
    return undefined;
  }
  return ranks;
}

/** The key of a text or a number in the ranks, equal for equal values; other values have no rank. */
export function rankKey(value: unknown): string {
  if (typeof value === 'string') return `text ${value}`;
  return isNumber(value) ? `number ${numberText(value)}` : '';
}

/** The values of unary tests that only list some; what is no value is given as null. */
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
