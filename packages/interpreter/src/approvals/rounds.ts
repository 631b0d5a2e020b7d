import type { ApprovalRound, ElementInstance, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';

/** Returns the previous round if the approval is being requested again. */
export function lastRound(execution: Execution, instance: ElementInstance): ApprovalRound | undefined {
  const place = placeOf(execution, instance);
  return place?.scope.rounds?.[place.name];
}

/**
 * Stores the round of an approval that will be requested again, so the next one continues the count and refers to it.
 */
export function rememberRound(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  const place = placeOf(execution, instance);
  if (place === undefined) return;
  execution.putRound(place.scope.key, place.name, { round: approval.round, approvalId: approval.approvalId });
}

/** Removes the stored round of a resolved approval: the next approval at this element starts with round 1. */
export function forgetRound(execution: Execution, instance: ElementInstance): void {
  const place = placeOf(execution, instance);
  if (place === undefined) return;
  const { rounds, ...scope } = place.scope;
  if (rounds?.[place.name] === undefined) return;
  const { [place.name]: _settled, ...rest } = rounds;
  execution.put(Object.keys(rest).length === 0 ? scope : { ...scope, rounds: rest });
}

/**
 * Returns where a round is stored. Each loop instance has its own rounds, stored outside the loop, because rework ends
 * the loop.
 */
function placeOf(
  execution: Execution,
  instance: ElementInstance,
): { scope: ElementInstance; name: string } | undefined {
  if (instance.parent === null) return undefined;
  const scope = execution.get(instance.parent);
  if (instance.loopCounter === undefined || scope.parent === null) return { scope, name: instance.elementId };
  return { scope: execution.get(scope.parent), name: `${instance.elementId}#${instance.loopCounter}` };
}
