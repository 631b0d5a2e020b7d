import { getElements, getId, getString, type ModdleElement } from '../moddle.js';
import type { CompileContext } from './compile-context.js';
import { compileInputs, compileOutputs } from './compile-clauses.js';
import { compileRule } from './compile-rule.js';
import { AGGREGATIONS, HIT_POLICIES, type Aggregation, type DecisionTable, type HitPolicy } from './decision-logic.js';
import { checkProperties } from './check-properties.js';

/** Compiles a decision table (DMN 1.3, chapter 8); returns `undefined` if it is invalid, which is recorded. */
export function compileTable(
  context: CompileContext,
  element: ModdleElement,
  decisionId: string,
): DecisionTable | undefined {
  const tableId = getId(element) ?? decisionId;
  checkProperties(context, element, tableId);
  const hitPolicy = readHitPolicy(context, element, tableId);
  const inputs = compileInputs(context, getElements(element, 'input'), tableId);
  const outputs = compileOutputs(context, getElements(element, 'output'), tableId, hitPolicy);
  const aggregation = readAggregation(context, element, tableId, hitPolicy, getElements(element, 'output').length);
  const columns = {
    inputs: getElements(element, 'input').map(getColumnTitle),
    outputs: getElements(element, 'output').map(getColumnTitle),
  };
  const rules = getElements(element, 'rule').map((rule, index) => compileRule(context, rule, index, columns, tableId));
  if (hitPolicy === undefined || inputs === undefined || outputs === undefined) return undefined;
  return {
    kind: 'decisionTable',
    hitPolicy,
    aggregation,
    inputs,
    outputs,
    rules: rules.filter((rule) => rule !== undefined),
  };
}

/** Returns the display name of a column. */
function getColumnTitle(clause: ModdleElement, index: number): string {
  const label = getString(clause, 'label')?.trim() ?? '';
  return `"${label === '' ? (getString(clause, 'name') ?? String(index + 1)) : label}"`;
}

function readHitPolicy(context: CompileContext, element: ModdleElement, tableId: string): HitPolicy | undefined {
  const text = getString(element, 'hitPolicy') ?? 'UNIQUE';
  const found = HIT_POLICIES.find((policy) => policy === text);
  if (found === undefined) {
    const message = `hitPolicy "${text}" is unknown; use one of ${HIT_POLICIES.join(', ')}.`;
    context.problems.add(tableId, 'unknown_hit_policy', message);
  }
  return found;
}

/** Reads the aggregation. DMN 1.3, 8.2.11: it needs the hit policy COLLECT and a single output with numbers. */
function readAggregation(
  { problems }: CompileContext,
  element: ModdleElement,
  tableId: string,
  hitPolicy: HitPolicy | undefined,
  outputCount: number,
): Aggregation | undefined {
  const text = getString(element, 'aggregation');
  if (text === undefined) return undefined;
  const found = AGGREGATIONS.find((aggregation) => aggregation === text);
  if (found === undefined) {
    problems.add(
      tableId,
      'unknown_aggregation',
      `aggregation "${text}" is unknown; use one of ${AGGREGATIONS.join(', ')}.`,
    );
  } else if (hitPolicy !== undefined && hitPolicy !== 'COLLECT') {
    problems.add(
      tableId,
      'misplaced_aggregation',
      `aggregation ${text} is allowed only with hitPolicy COLLECT, not with ${hitPolicy}.`,
    );
  } else if (outputCount > 1) {
    problems.add(
      tableId,
      'aggregation_of_several_outputs',
      `aggregation ${text} needs a table with one output; this one has ${outputCount}.`,
    );
  }
  return found;
}
