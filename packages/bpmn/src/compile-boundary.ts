import type { BoundaryEvent, NodeBase } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import { compileTriggers } from './compile-triggers.js';
import type { NodeDraft } from './scope-draft.js';
import { CATCH_PROPERTIES } from './check-properties.js';
import { readEventDefinitions } from './event-positions.js';
import type { ElementCompiler } from './element-compiler.js';
import { checkInterrupting } from './interrupting-rules.js';
import { getElement, getBoolean, getId } from './moddle.js';
import { isActivity, isCompensationBoundary } from './node-kinds.js';

/** Compiles boundary events of activities (BPMN 2.0, 10.5.4). */
export const boundaryEventCompiler: ElementCompiler = {
  properties: [...CATCH_PROPERTIES, 'attachedToRef', 'cancelActivity'],
  extensions: ['zeebe:ioMapping'],
  compile: compileBoundaryEvent,
};

function compileBoundaryEvent(context: CompileContext, draft: NodeDraft, base: NodeBase): BoundaryEvent | undefined {
  const { problems } = context;
  if (base.inputs.length > 0) {
    const message =
      'A boundary event cannot have input mappings; use output mappings, or input mappings of the next task.';
    problems.add(base.id, 'unsupported_mapping', message);
  }
  const host = requireHost(context, draft);
  const definitions = readEventDefinitions(context, draft, 'boundary');
  if (definitions === undefined) return undefined;
  if (definitions.length === 0) {
    // BPMN 2.0, table 10.90: a boundary event must have a trigger.
    problems.add(base.id, 'missing_event_definition', 'The boundary event has no trigger (event definition).');
    return undefined;
  }
  const triggers = compileTriggers(context, base.id, definitions);
  if (host === undefined || triggers === undefined) return undefined;
  const interrupting = getBoolean(draft.element, 'cancelActivity') !== false;
  checkInterrupting(context, base.id, triggers, interrupting);
  for (const { kind } of triggers) {
    if (kind === 'cancel' && host.innerScope?.kind !== 'transaction') {
      const message = `Only a transaction can be cancelled, and "${host.id}" is not a transaction.`;
      problems.add(base.id, 'no_transaction', message);
    } else if (kind === 'escalation' && host.innerScope === undefined && host.type !== 'callActivity') {
      // Zeebe 8.6, ModelUtil.verifyEscalationBoundaryEvent
      const message = `Nothing in ${host.type} "${host.id}" can escalate; attach the event to a sub-process or a call activity.`;
      problems.add(base.id, 'impossible_event', message);
    }
  }
  // A compensation event does not become a node: compensation.ts resolves the handler of its host.
  if (isCompensationBoundary(draft)) return undefined;
  const parallelMultiple = triggers.length > 1 && getBoolean(draft.element, 'parallelMultiple') === true;
  return { ...base, kind: 'boundaryEvent', triggers, parallelMultiple, attachedTo: host.id, interrupting };
}

/** Returns the activity in the same scope that the event is attached to. */
function requireHost(context: CompileContext, draft: NodeDraft): NodeDraft | undefined {
  const reportProblem = (message: string): undefined => {
    context.problems.add(draft.id, 'not_attached', message);
    return undefined;
  };
  const attachedTo = getElement(draft.element, 'attachedToRef');
  if (attachedTo === undefined)
    return reportProblem('The boundary event is not attached to an activity (attachedToRef).');
  const id = getId(attachedTo) ?? '';
  const host = draft.scope.nodes.get(id);
  if (host === undefined) {
    return reportProblem(
      `The boundary event is attached to "${id}", which is not an element of "${draft.scopeId}", the scope of the event.`,
    );
  }
  // scope-rules.ts checks that an event sub-process has no boundary events.
  if (!isActivity(host))
    return reportProblem(`The boundary event is attached to ${host.type} "${id}", which is not an activity.`);
  return host;
}
