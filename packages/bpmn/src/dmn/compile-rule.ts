import { elementsOf, idOf, type ModdleElement } from '../moddle.js';
import { requireId } from './compile-clauses.js';
import type { CompileContext } from './compile-context.js';
import { compileLiteral, compileTests } from './compile-feel.js';
import type { TableRule } from './decision-logic.js';
import { checkProperties } from './element-rules.js';

/** Display names of the columns of a table. */
export interface Columns {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Compiles a rule: an input entry for each input, an output entry for each output (DMN 1.3, 8.3.3). */
export function compileRule(
  context: CompileContext,
  element: ModdleElement,
  index: number,
  columns: Columns,
  tableId: string,
): TableRule | undefined {
  const what = `rule ${index + 1}`;
  checkProperties(context, element, idOf(element) ?? tableId);
  const id = requireId(context, element, tableId, what);
  const ruleId = id ?? tableId;
  const inputs = elementsOf(element, 'inputEntry');
  const outputs = elementsOf(element, 'outputEntry');
  checkNumber(context, ruleId, `input entries of ${what}`, inputs.length, columns.inputs.length);
  checkNumber(context, ruleId, `output entries of ${what}`, outputs.length, columns.outputs.length);
  const tests = inputs.map((entry, at) => {
    checkProperties(context, entry, idOf(entry) ?? ruleId);
    const words = `The entry of ${what} for input ${columns.inputs[at] ?? at + 1}`;
    return compileTests(context, entry, { elementId: idOf(entry) ?? ruleId, words });
  });
  const entries = outputs.map((entry, at) => {
    checkProperties(context, entry, idOf(entry) ?? ruleId);
    const words = `The entry of ${what} for output ${columns.outputs[at] ?? at + 1}`;
    return compileLiteral(context, entry, { elementId: idOf(entry) ?? ruleId, words });
  });
  if (id === null) return undefined;
  return {
    id,
    tests: tests.filter((test) => test !== undefined),
    entries: entries.filter((entry) => entry !== undefined),
  };
}

function checkNumber(context: CompileContext, ruleId: string, what: string, found: number, expected: number): void {
  if (found === expected) return;
  context.problems.add(
    ruleId,
    'wrong_number_of_entries',
    `There are ${found} ${what}; the table has ${expected} columns for them.`,
  );
}
