import type { FlowNode } from '@countersign/model';
import { isSameType, type ElementMapping } from './element-mapping.js';

/** Records a refusal. */
export type AddRefusal = (code: string, elementId: string, message: string) => void;

/** Returns the counterpart of an element that is in use, or `undefined` after recording why there is none. */
export function requireCounterpart(
  mapping: ElementMapping,
  before: FlowNode,
  refuse: AddRefusal,
): FlowNode | undefined {
  const after = mapping.findTargetNode(before.id);
  if (after === undefined) {
    // An unknown target is already reported.
    if (mapping.isExplicit(before.id)) return undefined;
    const namesake = mapping.target.nodes.get(before.id);
    if (namesake === undefined)
      refuse(
        'element_not_mapped',
        before.id,
        `"${before.id}" is active, and the target has no element with this id. Map it to another element.`,
      );
    else
      refuse(
        'element_type_changed',
        before.id,
        `"${before.id}" is active; it is a ${before.type} in the current version and a ${namesake.type} in the target. Map it to an element of the same type.`,
      );
    return undefined;
  }
  if (!isSameType(before, after)) {
    refuse(
      'element_type_changed',
      before.id,
      `"${before.id}" is a ${before.type}, and "${after.id}" is a ${after.type}. Map it to an element of the same type.`,
    );
    return undefined;
  }
  if (mapping.findTargetId(before.scopeId) !== after.scopeId) {
    refuse(
      'element_scope_changed',
      before.id,
      `"${before.id}" is in "${before.scopeId}", but "${after.id}" is in "${after.scopeId}", which is not the counterpart of that scope.`,
    );
    return undefined;
  }
  return after;
}
