import { mapInPieces } from '@countersign/model';
import type { Execution } from '../execution.js';
import { checkApprovals } from './check-approvals.js';
import { checkInstances } from './check-instances.js';
import { checkLiveness } from './check-liveness.js';
import type { ElementMapping } from './element-mapping.js';
import type { MigrationRefusal } from './migration-refusal.js';
import { planEvents, type EventPlan } from './plan-events.js';

/** Returns all reasons why the run cannot be migrated in its current state, and what would happen to its waits. */
export function* checkMigration(
  execution: Execution,
  mapping: ElementMapping,
): Generator<void, { refusals: MigrationRefusal[]; plans: EventPlan[] }> {
  const refusals = [...mapping.findRefusals(), ...(yield* checkInstances(execution, mapping))];
  const plans = yield* mapInPieces(execution.getInstances(), (instance) =>
    planEvents(execution, mapping, instance, (code, elementId, message) => refusals.push({ code, elementId, message })),
  );
  const tokenElementIds = execution.getInstances().flatMap(({ key, elementId, joins }) => {
    const isToken = key !== execution.state.root && execution.countChildren(key) === 0;
    return [...(isToken ? [elementId] : []), ...Object.keys(joins ?? {})];
  });
  refusals.push(...checkApprovals(mapping, tokenElementIds), ...(yield* checkLiveness(execution, mapping)));
  return { refusals, plans };
}
