import type { ScopeDraft } from './scope-draft.js';
import { isCompensationHandler, isEventSubProcess, isLink, isNoneStart, isTriggeredStart } from './node-kinds.js';

/** Returns the ids of the flow nodes at which tokens of a scope start, in document order. */
export function findScopeEntries(scope: ScopeDraft): readonly string[] {
  const nodes = [...scope.nodes.values()];
  const entries =
    scope.kind === 'adHocSubProcess'
      ? nodes.filter(
          (node) =>
            node.incoming.length === 0 &&
            node.type !== 'boundaryEvent' &&
            !isLink(node) &&
            !isEventSubProcess(node) &&
            !isCompensationHandler(node),
        )
      : nodes.filter((node) => isNoneStart(node) || isTriggeredStart(node));
  return entries.map((node) => node.id);
}
