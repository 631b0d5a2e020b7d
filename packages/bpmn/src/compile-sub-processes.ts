import type { FlowNode, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES } from './check-properties.js';
import { getNonEmptyElement } from './empty-elements.js';
import type { ElementCompilers } from './element-compiler.js';
import { requireFormalExpression } from './expression-language.js';
import { getBoolean, getString } from './moddle.js';
import { isCompensationHandler } from './node-kinds.js';
import { findScopeEntries } from './scope-entries.js';

const SUB_PROCESS_PROPERTIES = [...ACTIVITY_PROPERTIES, 'flowElements', 'laneSets', 'artifacts'];

/** Compilers of all kinds of sub-processes. compile-scope.ts compiles their content. */
export const subProcessCompilers: ElementCompilers = new Map([
  [
    'subProcess',
    {
      properties: [...SUB_PROCESS_PROPERTIES, 'triggeredByEvent'],
      extensions: ['zeebe:ioMapping'],
      compile: compileSubProcess,
    },
  ],
  [
    'transaction',
    { properties: [...SUB_PROCESS_PROPERTIES, 'method'], extensions: ['zeebe:ioMapping'], compile: compileTransaction },
  ],
  [
    'adHocSubProcess',
    {
      properties: [...SUB_PROCESS_PROPERTIES, 'ordering', 'completionCondition', 'cancelRemainingInstances'],
      extensions: ['zeebe:ioMapping'],
      compile: compileAdHoc,
    },
  ],
]);

function compileSubProcess(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  if (draft.innerScope?.kind !== 'eventSubProcess') return { ...base, kind: 'subProcess', variant: 'embedded' };
  if (base.loop !== null || isCompensationHandler(draft)) {
    // BPMN 2.0, 10.3.5: each occurrence of its start event starts it.
    const message = 'An event sub-process cannot have a loop marker or isForCompensation: its start event starts it.';
    context.problems.add(base.id, 'unexpected_loop', message);
    return undefined;
  }
  const start = [...draft.innerScope.nodes.values()].find((node) => node.type === 'startEvent');
  return start === undefined ? undefined : { ...base, kind: 'eventSubProcess', startEvent: start.id };
}

/**
 * Compiles a transaction. BPMN 2.0, table 10.22: with the supported method, a cancelled transaction is compensated; the
 * other methods restore data instead.
 */
function compileTransaction(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const method = getString(draft.element, 'method') ?? '##Compensate';
  if (method !== '##Compensate') {
    const message = `method="${method}" of the transaction is not supported: a cancelled transaction is always compensated.`;
    context.problems.add(base.id, 'unsupported_property', message);
    return undefined;
  }
  return { ...base, kind: 'subProcess', variant: 'transaction' };
}

function compileAdHoc(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const condition = getNonEmptyElement(draft.element, 'completionCondition');
  const completionCondition =
    condition === undefined ? null : requireFormalExpression(context, base.id, 'completionCondition', condition);
  if (completionCondition === undefined || draft.innerScope === undefined) return undefined;
  return {
    ...base,
    kind: 'adHocSubProcess',
    // BPMN 2.0, table 10.23: the default of ordering is Parallel, that of cancelRemainingInstances is true.
    sequential: getString(draft.element, 'ordering') === 'Sequential',
    entries: findScopeEntries(draft.innerScope),
    completionCondition,
    cancelRemainingInstances: getBoolean(draft.element, 'cancelRemainingInstances') !== false,
  };
}
