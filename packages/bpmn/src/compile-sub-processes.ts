import type { FlowNode, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './draft-scope.js';
import { ACTIVITY_PROPERTIES } from './element-rules.js';
import { filledElementOf } from './empty-elements.js';
import type { ElementCompilers } from './element-compiler.js';
import { requireFormalExpression } from './expression-language.js';
import { flagOf, textOf } from './moddle.js';
import { isCompensationHandler } from './node-kinds.js';
import { entriesOf } from './scope-entries.js';

const PROPERTIES = [...ACTIVITY_PROPERTIES, 'flowElements', 'laneSets', 'artifacts'];

/** Compilers of all kinds of sub-processes. compile-scope.ts compiles their content. */
export const subProcessFamilies: ElementCompilers = new Map([
  ['subProcess', { properties: [...PROPERTIES, 'triggeredByEvent'], extensions: ['zeebe:ioMapping'], compile }],
  [
    'transaction',
    { properties: [...PROPERTIES, 'method'], extensions: ['zeebe:ioMapping'], compile: compileTransaction },
  ],
  [
    'adHocSubProcess',
    {
      properties: [...PROPERTIES, 'ordering', 'completionCondition', 'cancelRemainingInstances'],
      extensions: ['zeebe:ioMapping'],
      compile: compileAdHoc,
    },
  ],
]);

function compile(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  if (draft.inner?.kind !== 'eventSubProcess') return { ...base, kind: 'subProcess', variant: 'embedded' };
  if (base.loop !== null || isCompensationHandler(draft)) {
    // BPMN 2.0, 10.3.5: its start event starts it, as often as that event happens.
    const message = 'An event sub-process cannot have a loop marker or isForCompensation: its start event starts it.';
    context.problems.add(base.id, 'unexpected_loop', message);
    return undefined;
  }
  const start = [...draft.inner.nodes.values()].find((node) => node.type === 'startEvent');
  return start === undefined ? undefined : { ...base, kind: 'eventSubProcess', startEvent: start.id };
}

/**
 * Compiles a transaction. BPMN 2.0, table 10.22: a cancelled transaction is compensated; its other methods restore data
 * instead.
 */
function compileTransaction(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const method = textOf(draft.element, 'method') ?? '##Compensate';
  if (method !== '##Compensate') {
    const message = `method="${method}" of the transaction is not supported: a cancelled transaction is undone by compensation.`;
    context.problems.add(base.id, 'unsupported_property', message);
    return undefined;
  }
  return { ...base, kind: 'subProcess', variant: 'transaction' };
}

function compileAdHoc(context: CompileContext, draft: NodeDraft, base: NodeBase): FlowNode | undefined {
  const condition = filledElementOf(draft.element, 'completionCondition');
  const compiled =
    condition === undefined ? null : requireFormalExpression(context, base.id, 'completionCondition', condition);
  if (compiled === undefined || draft.inner === undefined) return undefined;
  return {
    ...base,
    kind: 'adHocSubProcess',
    // BPMN 2.0, table 10.23: the defaults are parallel and true.
    sequential: textOf(draft.element, 'ordering') === 'Sequential',
    entries: entriesOf(draft.inner),
    completionCondition: compiled,
    cancelRemainingInstances: flagOf(draft.element, 'cancelRemainingInstances') !== false,
  };
}
