import type { CompensationThrow } from '@countersign/model';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft, ScopeDraft } from './scope-draft.js';
import { getElement, getBoolean, getId, type ModdleElement } from './moddle.js';
import { isActivity, isCompensationBoundary, isEventSubProcess } from './node-kinds.js';

/**
 * Compiles a compensation throw event (BPMN 2.0, 10.7.2): for one activity, or for all activities completed in its
 * scope. As in Zeebe 8.6 (CompensationEventDefinitionValidator), the activity must be compensable and in the same
 * scope. An event sub-process may also compensate activities of the scope that contains it.
 */
export function compileCompensationThrow(
  context: CompileContext,
  draft: NodeDraft,
  definition: ModdleElement,
): CompensationThrow | undefined {
  const activity = getElement(definition, 'activityRef');
  const waitForCompletion = getBoolean(definition, 'waitForCompletion') !== false;
  if (activity === undefined) return { kind: 'compensation', activityRef: null, waitForCompletion };
  const activityRef = getId(activity) ?? '';
  const error = findActivityError(activityRef, getVisibleScopes(draft.scope));
  if (error === undefined) return { kind: 'compensation', activityRef, waitForCompletion };
  context.problems.add(draft.id, 'invalid_compensation', error);
  return undefined;
}

function getVisibleScopes(scope: ScopeDraft): readonly ScopeDraft[] {
  return scope.kind === 'eventSubProcess' && scope.parent !== undefined ? [scope, scope.parent] : [scope];
}

function findActivityError(id: string, scopes: readonly ScopeDraft[]): string | undefined {
  const target = scopes.map((scope) => scope.nodes.get(id)).find((node) => node !== undefined);
  if (target === undefined || !isActivity(target)) {
    return `activityRef "${id}" is not an activity in the scope of the event. An event can only compensate activities in its own scope.`;
  }
  const isCompensable =
    target.boundaryEvents.some(isCompensationBoundary) ||
    (target.innerScope !== undefined && !isEventSubProcess(target));
  if (isCompensable) return undefined;
  return `activityRef "${id}" has no compensation boundary event and is not a sub-process, so nothing would compensate it.`;
}
