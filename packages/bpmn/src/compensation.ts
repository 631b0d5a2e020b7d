import type { CompileContext } from './compile-context.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { getElement, getElements, getId, getTag } from './moddle.js';
import { isActivity, isCompensationBoundary, isCompensationHandler } from './node-kinds.js';

/**
 * Returns the id of the activity that compensates `host`: the target of an association from the compensation boundary
 * event of `host` (BPMN 2.0, 10.7; Zeebe 8.6, CompensationEventValidator). Records violations.
 */
export function findCompensationHandler(context: CompileContext, host: NodeDraft): string | null {
  const [event, ...others] = host.boundaryEvents.filter(isCompensationBoundary);
  for (const other of others) {
    const message = `Activity "${host.id}" already has a compensation event ("${event?.id ?? ''}").`;
    context.problems.add(other.id, 'several_compensations', message);
  }
  return event === undefined ? null : resolveHandler(context, event);
}

function resolveHandler(context: CompileContext, event: NodeDraft): string | null {
  const reportProblem = (code: string, message: string): null => {
    context.problems.add(event.id, code, message);
    return null;
  };
  const [target, ...others] = getAssociationTargets(event.id, event.scope);
  if (target === undefined) {
    const message = 'No association leads from this compensation event to the activity that compensates.';
    return reportProblem('missing_compensation_handler', message);
  }
  if (others.length > 0) {
    const message = `Associations lead from this compensation event to "${[target, ...others].join('", "')}"; only one activity can compensate.`;
    return reportProblem('several_compensation_handlers', message);
  }
  const handler = event.scope.nodes.get(target);
  if (handler === undefined || !isActivity(handler)) {
    return reportProblem(
      'invalid_compensation_handler',
      `"${target}" cannot compensate: it is not an activity in the scope of this compensation event.`,
    );
  }
  if (!isCompensationHandler(handler)) {
    return reportProblem(
      'invalid_compensation_handler',
      `Activity "${target}" is a compensation handler, so it needs isForCompensation="true".`,
    );
  }
  return handler.id;
}

/** Records compensation handlers to which no association from a compensation event leads. */
export function checkCompensationHandlers(context: CompileContext, scope: ScopeDraft): void {
  const nodes = [...scope.nodes.values()];
  const used = new Set(nodes.filter(isCompensationBoundary).flatMap((event) => getAssociationTargets(event.id, scope)));
  for (const node of nodes) {
    if (!isCompensationHandler(node) || used.has(node.id)) continue;
    const message = 'This activity is for compensation, but no association leads to it from a compensation event.';
    context.problems.add(node.id, 'missing_association', message);
  }
}

/**
 * Returns the targets of an event's associations, except text annotations. Associations may be in the event's scope or
 * an enclosing one.
 */
function getAssociationTargets(eventId: string, scope: ScopeDraft): readonly string[] {
  const targets = new Set<string>();
  for (let ancestor: ScopeDraft | undefined = scope; ancestor !== undefined; ancestor = ancestor.parent) {
    for (const artifact of getElements(ancestor.element, 'artifacts')) {
      const source = getTag(artifact) === 'association' ? getElement(artifact, 'sourceRef') : undefined;
      const target = source === undefined || getId(source) !== eventId ? undefined : getElement(artifact, 'targetRef');
      if (target !== undefined && getTag(target) !== 'textAnnotation') targets.add(getId(target) ?? '');
    }
  }
  return [...targets];
}
