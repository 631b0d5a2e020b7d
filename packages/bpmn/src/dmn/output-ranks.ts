import { compileExpression, type FeelUnaryTests } from '@countersign/feel';
import type { CompileContext } from './compile-context.js';

/**
 * The rank of each of an output's values, as PRIORITY and OUTPUT ORDER need it (DMN 1.3, 8.2.10): the first is the most
 * important. Only texts and numbers have one, as on Zeebe 8.6. `undefined` where there are others, which is recorded.
 */
export function compileRanks(
  context: CompileContext,
  allowed: FeelUnaryTests,
  elementId: string,
): ReadonlyMap<unknown, number> | undefined {
  const ranks = new Map<unknown, number>();
  for (const value of readConstants(allowed.source)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (!ranks.has(value)) ranks.set(value, ranks.size);
      continue;
    }
    const message = 'outputValues that give an order must be texts and numbers, separated by commas.';
    context.problems.add(elementId, 'unordered_output_values', message);
    return undefined;
  }
  return ranks;
}

/** The values of unary tests that only list some; what is no value is given as null. */
function readConstants(source: string): readonly unknown[] {
  try {
    const list = compileExpression(`[${source}\n]`);
    if (list.reads.length > 0) return [null];
    const values = list.evaluate({ variables: new Map(), now: 0 });
    return Array.isArray(values) ? values : [null];
  } catch {
    return [null];
  }
}
