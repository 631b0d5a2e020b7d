import type { TableOutput, TableRule } from './decision-logic.js';

/** A rule that counts, and the values of its output entries. */
export interface Hit {
  readonly rule: TableRule;
  readonly outputs: readonly unknown[];
}

/** One output is the value itself, several are a context of their names (as on Zeebe 8.6, whether or not one has a name). */
export function resultOf(outputs: readonly TableOutput[], values: readonly unknown[]): unknown {
  if (outputs.length === 1) return values[0];
  return Object.fromEntries(outputs.map((output, index) => [output.key, values[index]]));
}
