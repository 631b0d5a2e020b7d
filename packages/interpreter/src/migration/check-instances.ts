import type { Compensation, ElementInstance, FlowNode, JobWait, StartEvent } from '@countersign/model';
import type { Execution } from '../execution.js';
import { isOwnWait } from '../steps.js';
import { isSameType, type ElementMapping } from './element-mapping.js';
import type { MigrationRefusal } from './migration-refusal.js';
import { checkJoins } from './check-joins.js';
import { requireCounterpart, type AddRefusal } from './require-counterpart.js';
import { hasSameJobType, isSameJob, hasSameLoop, hasSameTriggers } from './same-definition.js';

/**
 * Returns the refusals for all instances of a run that cannot be moved to the target. The rules are those of Zeebe 8.6
 * ("process instance migration": same type, same flow scope, every active element mapped), but stricter if work is in
 * progress or could no longer be compensated.
 */
export function* checkInstances(execution: Execution, mapping: ElementMapping): Generator<void, MigrationRefusal[]> {
  const refusals: MigrationRefusal[] = [];
  const reportedKeys = new Set<string>();
  const refuse = (code: string, elementId: string, message: string): void => {
    const refusalKey = JSON.stringify([code, elementId, message]);
    if (reportedKeys.has(refusalKey)) return;
    reportedKeys.add(refusalKey);
    refusals.push({ code, elementId, message });
  };
  const activeElementIds = new Set<string>();
  for (const instance of execution.getInstances()) {
    if (instance.key !== execution.state.root) {
      activeElementIds.add(instance.elementId);
      checkInstance(execution, mapping, instance, refuse);
    }
    for (const gateway of checkJoins(mapping, instance, refuse)) activeElementIds.add(gateway);
    checkCompensations(mapping, instance, refuse);
    checkVariables(mapping, instance, refuse);
    yield;
  }
  checkAmbiguity(mapping, activeElementIds, refuse);
  return refusals;
}

function checkInstance(
  execution: Execution,
  mapping: ElementMapping,
  instance: ElementInstance,
  refuse: AddRefusal,
): void {
  const before = execution.node(instance.elementId);
  const after = requireCounterpart(mapping, before, refuse);
  if (after === undefined) return;
  if (!hasSameLoop(before, after)) {
    refuse(
      'loop_changed',
      before.id,
      `"${before.id}" is in progress and cannot become "${after.id}", which has a different loop. Wait until it is completed.`,
    );
  }
  if (
    instance.agent !== undefined &&
    before.kind === 'jobTask' &&
    after.kind === 'jobTask' &&
    !hasSameJobType(before, after)
  ) {
    refuse(
      'job_in_progress',
      before.id,
      `An agent is working on "${before.id}", and "${after.id}" is not an agent step. Wait until it is completed.`,
    );
  }
  // The decision is already recorded. When the step is left, it would apply to the other approval.
  if (before.kind === 'userTask' && instance.incident?.phase === 'leave' && before.id !== after.id) {
    refuse(
      'approval_decided',
      before.id,
      `"${before.id}" is decided, but the step has not completed, so its decision would apply to "${after.id}". Recover the run first.`,
    );
  }
  if (isDifferentJob(mapping, instance) && isClaimed(execution, instance)) {
    refuse(
      'job_in_progress',
      before.id,
      `A worker has started "${before.id}", which has a different job in the target. Wait until it is completed or has failed.`,
    );
  }
  const ownWaits = (instance.waits ?? []).filter((wait) => isOwnWait(instance, wait));
  if ('triggers' in before && 'triggers' in after && ownWaits.length > 0 && !hasSameTriggers(before, after)) {
    refuse(
      'event_changed',
      before.id,
      `The run waits at "${before.id}", and "${after.id}" waits for a different kind of event.`,
    );
  }
  if (
    before.kind === 'eventSubProcess' &&
    after.kind === 'eventSubProcess' &&
    findStartEvent(mapping.source.nodes, before.startEvent)?.interrupting !==
      findStartEvent(mapping.target.nodes, after.startEvent)?.interrupting
  ) {
    refuse(
      'event_changed',
      before.id,
      `"${before.id}" is in progress, so it can no longer be changed from interrupting to non-interrupting or vice versa.`,
    );
  }
}

/** Returns whether an instance waits for a job that the target defines differently. */
export function isDifferentJob(mapping: ElementMapping, instance: ElementInstance): boolean {
  if (getJobWaits(instance).length === 0) return false;
  const [before, after] = [mapping.source.nodes.get(instance.elementId), mapping.findTargetNode(instance.elementId)];
  return before?.kind === 'jobTask' && after?.kind === 'jobTask' && !isSameJob(before, after);
}

function isClaimed({ context }: Execution, instance: ElementInstance): boolean {
  const { claimedJobs } = context;
  return claimedJobs === undefined || getJobWaits(instance).some(({ jobId }) => claimedJobs.has(jobId));
}

/** Returns the job of an instance, or the jobs of an agent's concurrent calls. */
function getJobWaits({ waits = [] }: ElementInstance): JobWait[] {
  return waits.filter((wait): wait is JobWait => wait.kind === 'job');
}

function findStartEvent(nodes: ReadonlyMap<string, FlowNode>, id: string): StartEvent | undefined {
  const node = nodes.get(id);
  return node?.kind === 'startEvent' ? node : undefined;
}

/** Checks that the target can still compensate the completed activities. */
function checkCompensations(mapping: ElementMapping, instance: ElementInstance, refuse: AddRefusal): void {
  const check = ({ elementId, handler, inner = [] }: Pick<Compensation, 'elementId' | 'handler' | 'inner'>): void => {
    for (const id of handler === null ? [elementId] : [elementId, handler]) {
      const [before, after] = [mapping.source.nodes.get(id), mapping.findTargetNode(id)];
      if (before !== undefined && after !== undefined && isSameType(before, after)) continue;
      refuse(
        'compensation_lost',
        elementId,
        `"${elementId}" was completed and can be compensated, but the target has no counterpart of "${id}". Map it.`,
      );
    }
    inner.forEach(check);
  };
  instance.compensations?.forEach(check);
  instance.compensating?.queue.forEach(check);
  if (instance.undoes !== undefined) check({ elementId: instance.undoes.elementId, handler: null });
}

/** Checks that no variable that any step could write is treated as an approval decision in the target. */
function checkVariables({ source, target }: ElementMapping, instance: ElementInstance, refuse: AddRefusal): void {
  for (const name of Object.keys(instance.variables ?? {})) {
    if (!target.resultVariables.has(name) || source.resultVariables.has(name)) continue;
    refuse(
      'result_variable_taken',
      instance.elementId,
      `The run has a variable "${name}", and in the target only approval decisions may write that name.`,
    );
  }
}

/** Checks that no two active elements are mapped to the same element. */
function checkAmbiguity(mapping: ElementMapping, activeElementIds: ReadonlySet<string>, refuse: AddRefusal): void {
  const sourcesByTarget = new Map<string, string>();
  for (const id of activeElementIds) {
    const target = mapping.findTargetId(id);
    if (target === undefined) continue;
    const other = sourcesByTarget.get(target);
    if (other !== undefined)
      refuse(
        'mapping_ambiguous',
        id,
        `"${other}" and "${id}" are both active and would both become "${target}". Map each to a different element.`,
      );
    sourcesByTarget.set(target, id);
  }
}
