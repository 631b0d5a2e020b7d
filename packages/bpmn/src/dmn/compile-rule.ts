import { getElements, getId, type ModdleElement } from '../moddle.js';
import { requireId } from './compile-clauses.js';
import type { CompileContext } from './compile-context.js';
import { compileLiteral, compileTests } from './compile-feel.js';
import type { TableRule } from './decision-logic.js';
import { checkProperties } from './check-properties.js';

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
  const ruleLabel = `rule ${index + 1}`;
  checkProperties(context, element, getId(element) ?? tableId);
  const id = requireId(context, element, tableId, ruleLabel);
  const ruleId = id ?? tableId;
  const inputs = getElements(element, 'inputEntry');
  const outputs = getElements(element, 'outputEntry');
  checkEntryCount(context, ruleId, `input entries of ${ruleLabel}`, inputs.length, columns.inputs.length);
  checkEntryCount(context, ruleId, `output entries of ${ruleLabel}`, outputs.length, columns.outputs.length);
  const tests = inputs.map((entry, column) => {
    checkProperties(context, entry, getId(entry) ?? ruleId);
    const label = `The entry of ${ruleLabel} for input ${columns.inputs[column] ?? column + 1}`;
    return compileTests(context, entry, { elementId: getId(entry) ?? ruleId, label });
  });
  const entries = outputs.map((entry, column) => {
    checkProperties(context, entry, getId(entry) ?? ruleId);
    const label = `The entry of ${ruleLabel} for output ${columns.outputs[column] ?? column + 1}`;
    return compileLiteral(context, entry, { elementId: getId(entry) ?? ruleId, label });
  });
  if (id === null) return undefined;
  return {
    id,
    tests: tests.filter((test) => test !== undefined),
    entries: entries.filter((entry) => entry !== undefined),
  };
}

function checkEntryCount(
  context: CompileContext,
  ruleId: string,
  label: string,
  found: number,
  expected: number,
): void {
  if (found === expected) return;
  context.problems.add(
    ruleId,
    'wrong_number_of_entries',
    `Expected ${expected} ${label}, one for each column, but found ${found}.`,
  );
}
