import type { TableOutput, TableRule } from './decision-logic.js';

/** A matched rule to which the hit policy is applied, with the values of its output entries. */
export interface Hit {
  readonly rule: TableRule;
  readonly outputs: readonly unknown[];
}

/**
 * Returns the result of a rule: the value of a single output (whether or not the output has a name, as in Zeebe 8.6),
 * or a context of several outputs by name.
 */
export function buildResult(outputs: readonly TableOutput[], values: readonly unknown[]): unknown {
  if (outputs.length === 1) return values[0];
  return Object.fromEntries(outputs.map((output, index) => [output.key, values[index]]));
}
