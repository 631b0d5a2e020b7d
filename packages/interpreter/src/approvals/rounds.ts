import type { ApprovalRound, ElementInstance, PendingApproval } from '@countersign/model';
import type { Execution } from '../execution.js';

/** The approval that is asked again now, if there is one. */
export function lastRound(execution: Execution, instance: ElementInstance): ApprovalRound | undefined {
  const place = placeOf(execution, instance);
  return place?.scope.rounds?.[place.name];
}

/** Remembers an approval that will be asked again, so that the next one carries on counting and names it. */
export function rememberRound(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  const place = placeOf(execution, instance);
  if (place === undefined) return;
  execution.putRound(place.scope.key, place.name, { round: approval.round, approvalId: approval.approvalId });
}

/** The matter is settled: what is asked at this element next begins with round 1. */
export function forgetRound(execution: Execution, instance: ElementInstance): void {
  const place = placeOf(execution, instance);
  if (place === undefined) return;
  const { rounds, ...scope } = place.scope;
  if (rounds?.[place.name] === undefined) return;
  const { [place.name]: _settled, ...rest } = rounds;
  execution.put(Object.keys(rest).length === 0 ? scope : { ...scope, rounds: rest });
}

/** Each turn of a loop asks about its own matter. It is remembered outside of the loop, which ends when it is sent back. */
function placeOf(
  execution: Execution,
  instance: ElementInstance,
): { scope: ElementInstance; name: string } | undefined {
  if (instance.parent === null) return undefined;
  const scope = execution.get(instance.parent);
  if (instance.loopCounter === undefined || scope.parent === null) return { scope, name: instance.elementId };
  return { scope: execution.get(scope.parent), name: `${instance.elementId}#${instance.loopCounter}` };
}
