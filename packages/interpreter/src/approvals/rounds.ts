import type { ApprovalRound, ElementInstance, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';

/** Returns the previous round if the approval is being requested again. */
export function findPreviousRound(execution: Execution, instance: ElementInstance): ApprovalRound | undefined {
  const location = findRoundLocation(execution, instance);
  return location?.scope.rounds?.[location.name];
}

/**
 * Stores the round of an approval that will be requested again, so that the next round continues the numbering and
 * refers to it.
 */
export function saveRound(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  const location = findRoundLocation(execution, instance);
  if (location === undefined) return;
  execution.putRound(location.scope.key, location.name, { round: approval.round, approvalId: approval.approvalId });
}

/** Removes the stored round of a resolved approval: the next approval at this element starts with round 1. */
export function deleteRound(execution: Execution, instance: ElementInstance): void {
  const location = findRoundLocation(execution, instance);
  if (location === undefined) return;
  const { rounds, ...scope } = location.scope;
  if (rounds?.[location.name] === undefined) return;
  const { [location.name]: _deletedRound, ...rest } = rounds;
  execution.put(Object.keys(rest).length === 0 ? scope : { ...scope, rounds: rest });
}

/**
 * Returns the location at which the round of an approval is stored. Each loop instance has its own rounds, stored
 * outside the loop, because rework ends the loop.
 */
function findRoundLocation(
  execution: Execution,
  instance: ElementInstance,
): { scope: ElementInstance; name: string } | undefined {
  if (instance.parent === null) return undefined;
  const scope = execution.get(instance.parent);
  if (instance.loopCounter === undefined || scope.parent === null) return { scope, name: instance.elementId };
  return { scope: execution.get(scope.parent), name: `${instance.elementId}#${instance.loopCounter}` };
}
