import type { DecisionTask, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { checkNotResultVariable } from './compile-mappings.js';
import { checkProperties } from './check-properties.js';
import { getString, type ModdleElement } from './moddle.js';
import { findNameError } from './variable-names.js';
import { requireName } from './values.js';

/**
 * Compiles a business rule task with `zeebe:calledDecision` (Zeebe 8.6, ZeebeCalledDecision), which evaluates the
 * newest version of a DMN decision.
 */
export function compileDecisionTask(
  context: CompileContext,
  base: NodeBase,
  decision: ModdleElement,
): DecisionTask | undefined {
  const { problems } = context;
  checkProperties(context, decision, base.id, ['decisionId', 'resultVariable', 'bindingType']);
  const label = 'decisionId of zeebe:calledDecision';
  const decisionId = requireName(context, base.id, label, getString(decision, 'decisionId'));
  const binding = getString(decision, 'bindingType') ?? 'latest';
  if (binding !== 'latest') {
    const message = `bindingType="${binding}" of a DMN decision is not supported: the newest version is always evaluated ("latest").`;
    problems.add(base.id, 'unsupported_binding', message);
  }
  const resultVariable = getString(decision, 'resultVariable')?.trim() ?? '';
  const error = findNameError(resultVariable);
  if (error !== undefined) {
    problems.add(base.id, 'invalid_name', `resultVariable of zeebe:calledDecision: ${error}.`);
  }
  checkNotResultVariable(context, base.id, resultVariable, 'The DMN decision writes');
  return decisionId === undefined ? undefined : { ...base, kind: 'decisionTask', decisionId, resultVariable };
}
