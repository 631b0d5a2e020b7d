import {
  type ElementInstance,
  type Json,
  mapInPieces,
  type MigrateCommand,
  toRecordedActor,
  type RunEventMap,
} from '@countersign/model';
import { resumeAgent } from '../agents/resume-agent.js';
import { withdrawCallApproval } from '../agents/withdraw-call-approval.js';
import { findPendingApprovals } from '../approvals/find-approval.js';
import { reopenApproval } from '../approvals/reopen-approval.js';
import { addActingPerson, addDeployer } from '../contributors.js';
import { buildPolicyRequest, evaluatePolicy, shouldEvaluatePolicy, storeDestination } from '../evaluate-policy.js';
import { activate } from '../enter.js';
import { subscribe } from '../events/subscribe.js';
import type { Execution } from '../execution.js';
import { toStepFailureOrRethrow, StepFailure } from '../incidents.js';
import { getPolicyRefusal } from '../policy-refusal.js';
import { isDifferentJob } from '../migration/check-instances.js';
import { checkMigration } from '../migration/check-migration.js';
import { ElementMapping } from '../migration/element-mapping.js';
import type { MigrationRefusal } from '../migration/migration-refusal.js';
import { moveState } from '../migration/move-state.js';
import type { EventPlan } from '../migration/plan-events.js';
import { toRecordedDeployer } from '../recorded-deployer.js';
import { closeWaits, toDecisionData, isOwnWait, recordRisk } from '../steps.js';

/**
 * Moves the run to another version of its workflow for an operator (Zeebe 8.6: process instance migration). If a part
 * of the run cannot be moved, the whole migration is refused, and all reasons are reported together.
 *
 * The policy is evaluated for every active task, and every pending approval gets a new round, because its subject names
 * the definition. The person who migrates a run is recorded as a contributor to its data.
 */
export function* migrate(execution: Execution, command: MigrateCommand): Generator<void, void> {
  const { target } = execution.context;
  const { state } = execution;
  if (target?.workflowId !== state.workflowId)
    throw new Error(`Run ${state.runId} cannot be migrated: the target is not a version of "${state.workflowId}".`);
  if (state.cancelling === true) {
    execution.refuse('run_cancelling', 'The run is being cancelled: its completed steps are being compensated.');
    return;
  }
  if (command.workflowVersion === state.workflowVersion) {
    refuse(execution, [
      {
        code: 'version_unchanged',
        elementId: null,
        message: `The run is already on version ${state.workflowVersion}.`,
      },
    ]);
    return;
  }
  const mapping = new ElementMapping(execution.graph, target, command.mapping);
  const { refusals, plans } = yield* checkMigration(execution, mapping);
  if (refusals.length === 0) refusals.push(...(yield* applyMigration(execution, command, mapping, plans)));
  if (refusals.length > 0) refuse(execution, refusals);
}

function refuse(execution: Execution, refusals: readonly MigrationRefusal[]): void {
  const errors: Json[] = refusals.map(({ code, elementId, message }) => ({ pointer: elementId ?? '', code, message }));
  execution.abandon(
    'migration_refused',
    'The run cannot be migrated to that version in its current state; `errors` lists the reasons. Nothing was changed.',
    { errors },
  );
}

function* applyMigration(
  execution: Execution,
  command: MigrateCommand,
  mapping: ElementMapping,
  plans: readonly EventPlan[],
): Generator<void, MigrationRefusal[]> {
  const { workflowVersion: fromVersion, workflowDigest: fromDigest } = execution.state;
  const { workflowVersion: toVersion, workflowDigest: toDigest, actor } = command;
  const restartedInstances: ElementInstance[] = [];
  for (const instance of execution.getInstances()) {
    if (isDifferentJob(mapping, instance)) restartedInstances.push(instance);
    yield;
  }
  const changes: RunEventMap['run.migrated']['data'] = {
    fromVersion,
    fromDigest,
    toVersion,
    toDigest,
    mapping: { ...command.mapping },
    ...(yield* collectChanges(execution, mapping, plans)),
    restarted: [...new Set(restartedInstances.map(({ elementId }) => mapping.findTargetId(elementId) ?? elementId))],
  };
  const restartedKeys = new Set(restartedInstances.map((instance) => instance.key));
  const sourceElementIds = new Map(execution.getInstances().map((instance) => [instance.key, instance.elementId]));
  for (const { key, closedWaits: closed } of plans)
    if (closed.length > 0) closeWaits(execution, execution.get(key), (wait) => closed.includes(wait));
  yield* moveState(execution, mapping, plans);
  execution.switchGraph(mapping.target);
  execution.update({ workflowVersion: toVersion, workflowDigest: toDigest });
  const { leftDeployedBy } = execution.context;
  yield* addActingPerson(execution, actor);
  yield* addDeployer(execution, leftDeployedBy);
  execution.emit('run.migrated', null, changes, {
    actor: { ...toRecordedActor(actor) },
    comment: command.comment,
    ...toRecordedDeployer(execution.context),
    ...(leftDeployedBy === undefined ? {} : { leftDeployedBy }),
  });
  const refusals: MigrationRefusal[] = [];
  for (const { key, openedEvents: opened } of plans) {
    const { elementId } = execution.get(key);
    try {
      if (restartedKeys.has(key)) yield* restartStep(execution, key, sourceElementIds.get(key) ?? elementId);
      else reassessStep(execution, key, sourceElementIds.get(key) ?? elementId);
      for (const event of opened) subscribe(execution, key, event);
    } catch (error) {
      const { code, message } = toStepFailureOrRethrow(error);
      refusals.push({ code, elementId: sourceElementIds.get(key) ?? elementId, message });
    }
    yield;
  }
  return refusals;
}

/**
 * Returns the changes for the history. Each change is listed only once, because a loop may have thousands of instances.
 */
function* collectChanges(
  execution: Execution,
  mapping: ElementMapping,
  plans: readonly EventPlan[],
): Generator<void, Pick<RunEventMap['run.migrated']['data'], 'moves' | 'closed' | 'opened'>> {
  const activeElementIds = new Set(
    execution
      .getInstances()
      .flatMap(({ key, elementId, joins }) => [
        ...(key === execution.state.root ? [] : [elementId]),
        ...Object.keys(joins ?? {}),
      ]),
  );
  const events = plans.flatMap(({ keptWaits: kept }) =>
    [...kept].flatMap(([wait, to]) => ('elementId' in wait ? [[wait.elementId, to] as const] : [])),
  );
  const closed = plans.flatMap((plan) =>
    plan.closedWaits.map((wait) =>
      'elementId' in wait ? { elementId: wait.elementId, kind: wait.kind } : { elementId: '', kind: wait.kind },
    ),
  );
  const opened = plans.flatMap((plan) =>
    plan.openedEvents.flatMap((event) => event.triggers.map(({ kind }) => ({ elementId: event.id, kind }))),
  );
  const moves = [
    ...[...activeElementIds].map((from) => [from, mapping.findTargetId(from) ?? from] as const),
    ...events,
  ].map(([from, to]) => ({ from, to }));
  return {
    moves: yield* removeDuplicates(moves),
    closed: yield* removeDuplicates(closed),
    opened: yield* removeDuplicates(opened),
  };
}

function* removeDuplicates<T>(items: readonly T[]): Generator<void, T[]> {
  const texts = yield* mapInPieces(items, (item) => [JSON.stringify(item), item] as const);
  return [...new Map(texts).values()];
}

/**
 * Withdraws the unclaimed jobs of a step and activates it again, as the target version defines it. Attached events keep
 * waiting.
 */
function* restartStep(execution: Execution, key: number, from: string): Generator<void, void> {
  const instance = execution.get(key);
  const node = execution.node(instance.elementId);
  for (const wait of instance.waits ?? [])
    if (wait.kind === 'job') execution.request({ type: 'job.withdraw', jobId: wait.jobId, ifUnclaimed: true });
  const instanceWithoutJobs = execution.put({
    ...instance,
    waits: (instance.waits ?? []).filter((wait) => wait.kind !== 'job'),
  });
  execution.emit('step.migrated', instanceWithoutJobs, { from, name: node.name });
  withdrawCallApprovals(execution, instanceWithoutJobs);
  yield* activate(execution, node, execution.get(key), { hasAttachedEvents: true });
  const { incident } = execution.get(key);
  if (incident !== undefined && incident !== instance.incident) throw new StepFailure(incident.code, incident.message);
}

/**
 * Withdraws the pending approvals of agent calls. The calls are reassessed, because their subjects name the definition.
 */
function withdrawCallApprovals(execution: Execution, instance: ElementInstance): void {
  for (const found of findPendingApprovals(execution, instance))
    if (found.kind === 'tool_call') withdrawCallApproval(execution, found, 'run_migrated');
}

/**
 * Withdraws the unclaimed jobs of approved calls. The calls were approved under the previous definition, so they are
 * reassessed.
 */
function withdrawApprovedJobs(execution: Execution, key: number): void {
  const { waits = [], agent } = execution.get(key);
  const { claimedJobs } = execution.context;
  const approvedCallIds = new Set(
    agent?.calls.flatMap(({ callId, approvedDigest }) => (approvedDigest === undefined ? [] : [callId])),
  );
  const withdrawnWaits = waits.filter(
    (wait) =>
      wait.kind === 'job' &&
      wait.callId !== undefined &&
      approvedCallIds.has(wait.callId) &&
      claimedJobs?.has(wait.jobId) === false,
  );
  if (withdrawnWaits.length === 0) return;
  for (const wait of withdrawnWaits)
    if (wait.kind === 'job') execution.request({ type: 'job.withdraw', jobId: wait.jobId, ifUnclaimed: true });
  execution.put({ ...execution.get(key), waits: waits.filter((wait) => !withdrawnWaits.includes(wait)) });
}

/** Evaluates the policy for an active task and reopens its approvals. */
function reassessStep(execution: Execution, key: number, from: string): void {
  const instance = execution.get(key);
  if (key === execution.state.root) return;
  const node = execution.node(instance.elementId);
  const isInProgress =
    instance.loop === undefined && instance.waits?.some((wait) => isOwnWait(instance, wait)) === true;
  const decision =
    isInProgress && shouldEvaluatePolicy(execution, node)
      ? evaluatePolicy(execution, buildPolicyRequest(execution, node, storeDestination(execution, node, instance)))
      : null;
  execution.emit('step.migrated', instance, {
    from,
    name: node.name,
    ...(decision === null ? {} : { policyDecision: toDecisionData(decision) }),
  });
  if (decision === null) return;
  if (getPolicyRefusal(decision.decision, node) !== undefined) {
    throw new StepFailure(
      'policy_denied',
      `The policy denies "${node.id}" in the target version: ${decision.rationale}`,
    );
  }
  recordRisk(execution, instance, decision);
  withdrawCallApprovals(execution, instance);
  for (const found of findPendingApprovals(execution, execution.get(key)))
    if (found.kind === 'user_task') reopenApproval(execution, found, 'run_migrated', decision);
  if (instance.agent === undefined) return;
  withdrawApprovedJobs(execution, key);
  resumeAgent(execution, execution.get(key), decision);
}
