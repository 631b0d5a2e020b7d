import type { ElementInstance, PendingApproval } from '../../domain/run-state.js';
import type { Execution } from '../execution.js';

/** Remembers an approval that will be asked again, so that the next one carries on counting and names it. */
export function rememberRound(execution: Execution, instance: ElementInstance, approval: PendingApproval): void {
  if (instance.parent === null) return;
  const scope = execution.get(instance.parent);
  const last = { round: approval.round, approvalId: approval.approvalId };
  execution.put({ ...scope, rounds: { ...scope.rounds, [instance.elementId]: last } });
}

/** The matter is settled: what is asked at this element next begins with round 1. */
export function forgetRound(execution: Execution, instance: ElementInstance): void {
  if (instance.parent === null) return;
  const { rounds, ...scope } = execution.get(instance.parent);
  if (rounds?.[instance.elementId] === undefined) return;
  const { [instance.elementId]: _settled, ...rest } = rounds;
  execution.put(Object.keys(rest).length === 0 ? scope : { ...scope, rounds: rest });
}
