import { getElement, getId, getTag, getString, type ModdleElement } from '../moddle.js';
import { isSafeKey } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileLiteral } from './compile-feel.js';
import { compileTable } from './compile-table.js';
import type { CompiledDecision, DecisionLogic } from './decision-logic.js';
import { checkProperties } from './check-properties.js';
import { toResultKind } from './result-kinds.js';

/**
 * Compiles a DMN decision with its logic (DMN 1.3, 6.3.7); returns `undefined` if it has no valid logic, which is
 * recorded.
 */
export function compileDecision(
  context: CompileContext,
  element: ModdleElement,
  decisionId: string,
  requires: readonly CompiledDecision[],
): CompiledDecision | undefined {
  const variable = getElement(element, 'variable');
  if (variable !== undefined) checkProperties(context, variable, getId(variable) ?? decisionId);
  const resultName = readResultName(context, variable, decisionId);
  checkResultNames(context, decisionId, requires);
  const logic = compileLogic(context, getElement(element, 'decisionLogic'), decisionId);
  if (logic === undefined) return undefined;
  const name = getString(element, 'name') ?? '';
  return {
    decisionId,
    name: name === '' ? decisionId : name,
    decisionType: logic.kind,
    resultName,
    resultKind: toResultKind(variable === undefined ? undefined : getString(variable, 'typeRef')),
    requires,
    logic,
  };
}

/**
 * Returns the name of the DMN decision's variable, or the id of the DMN decision if the variable has no name. The name
 * of the DMN decision is only for display (as in Zeebe 8.6).
 */
function readResultName(context: CompileContext, variable: ModdleElement | undefined, decisionId: string): string {
  const name = (variable === undefined ? undefined : getString(variable, 'name'))?.trim() ?? '';
  if (name === '') return decisionId;
  if (!isSafeKey(name)) {
    context.problems.add(decisionId, 'reserved_name', `The name "${name}" of the DMN decision's variable is reserved.`);
  }
  return name;
}

/** Records required DMN decisions whose results have the same name, because one result would hide the other. */
function checkResultNames(context: CompileContext, decisionId: string, requires: readonly CompiledDecision[]): void {
  const seen = new Map<string, string>();
  for (const required of requires) {
    const other = seen.get(required.resultName);
    if (other !== undefined) {
      const message = `The DMN decision requires "${other}" and "${required.decisionId}", whose results have the same name "${required.resultName}".`;
      context.problems.add(decisionId, 'duplicate_name', message);
    }
    seen.set(required.resultName, required.decisionId);
  }
}

function compileLogic(
  context: CompileContext,
  element: ModdleElement | undefined,
  decisionId: string,
): DecisionLogic | undefined {
  if (element === undefined) {
    const message = 'The DMN decision has no logic; add a decision table or a literal expression.';
    context.problems.add(decisionId, 'missing_logic', message);
    return undefined;
  }
  const elementId = getId(element) ?? decisionId;
  const tag = getTag(element);
  if (tag === 'decisionTable') return compileTable(context, element, decisionId);
  if (tag !== 'literalExpression') {
    const message = `The boxed expression ${tag} is not supported in this version; use a decision table or a literal expression.`;
    context.problems.add(elementId, 'unsupported_logic', message);
    return undefined;
  }
  checkProperties(context, element, elementId);
  const expression = compileLiteral(context, element, { elementId, label: 'The literal expression' });
  return expression === undefined ? undefined : { kind: 'literalExpression', expression };
}
