import {
  type ApprovalChange,
  type ApprovalDecision,
  type ApprovalStatus,
  DECISION_ERRORS,
  type ElementInstance,
  type FlowNode,
  type JsonObject,
  type PendingApproval,
  type UserTask,
  unreachable,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { cancelAll, cancelInstance } from '../cancel-instance.js';
import { complete } from '../complete.js';
import { catchesDecision, throwDecision } from '../events/throw-errors-and-escalations.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { reportToParent } from '../report-to-parent.js';
import { closeWaits, isOwnWait, scheduleLeave } from '../steps.js';
import { mergeUpwards } from '../variables.js';
import { deleteRound, saveRound } from './rounds.js';
import { recordResolution, type Resolution } from './record-resolution.js';

/** Resolves an approval and applies its decision to the run. */
export function* resolveApproval(
  execution: Execution,
  instance: ElementInstance,
  node: UserTask,
  approval: PendingApproval,
  resolution: Resolution,
  status?: ApprovalStatus,
): Generator<void, ApprovalChange> {
  const change = recordResolution(execution, instance, approval, resolution, status);
  const instanceWithoutWaits = closeWaits(execution, instance, (wait) => isOwnWait(instance, wait));
  const result = buildDecisionResult(execution, node, approval, resolution);
  if (resolution.decision === 'request_changes') saveRound(execution, instanceWithoutWaits, approval);
  else deleteRound(execution, instanceWithoutWaits);
  if (isDecisionCaught(execution, instanceWithoutWaits, resolution.decision))
    yield* throwToCatchingEvent(execution, instanceWithoutWaits, resolution.decision, result);
  else if (node.approval.outcomeHandledByBpmn) scheduleLeave(execution, instanceWithoutWaits, result);
  else yield* applyResolution(execution, instanceWithoutWaits, node, resolution.decision, result);
  return change;
}

/** Applies a decision that the BPMN model leaves to the engine. */
function* applyResolution(
  execution: Execution,
  instanceWithoutWaits: ElementInstance,
  node: UserTask,
  decision: ApprovalDecision,
  result: JsonObject,
): Generator<void, void> {
  switch (decision) {
    case 'approve':
      scheduleLeave(execution, instanceWithoutWaits, result);
      return;
    case 'reject':
      if (execution.state.cancelling === true)
        raiseIncident(execution, instanceWithoutWaits, compensationRejectedFailure(), 'job');
      else yield* rejectRun(execution, instanceWithoutWaits, result);
      return;
    case 'request_changes':
      yield* rework(execution, instanceWithoutWaits, node, result);
      return;
    default:
      return unreachable(decision);
  }
}

function buildDecisionResult(
  execution: Execution,
  node: UserTask,
  approval: PendingApproval,
  { decision, comment, actor }: Resolution,
): JsonObject {
  return {
    [node.approval.resultVariable]: {
      decision,
      comment,
      decidedBy: actor.id,
      decidedAt: new Date(execution.now).toISOString(),
      round: approval.round,
    },
  };
}

/** Returns whether an event of the BPMN model catches this decision and so determines how the run continues. */
export function isDecisionCaught(execution: Execution, instance: ElementInstance, decision: ApprovalDecision): boolean {
  const error = DECISION_ERRORS[decision];
  return error !== null && catchesDecision(execution, instance, error);
}

function* throwToCatchingEvent(
  execution: Execution,
  instance: ElementInstance,
  decision: ApprovalDecision,
  result: JsonObject,
): Generator<void, void> {
  mergeUpwards(execution, instance, result);
  yield* throwDecision(execution, execution.get(instance.key), DECISION_ERRORS[decision] ?? '', result);
}

function endStep(execution: Execution, instance: ElementInstance, result: JsonObject): void {
  mergeUpwards(execution, instance, result);
  complete(execution, execution.node(instance.elementId), execution.get(instance.key), result);
}

/**
 * Returns the failure for a rejection while the run is being cancelled: it must not end the run before the remaining
 * compensation is done.
 */
function compensationRejectedFailure(): StepFailure {
  return new StepFailure(
    'compensation_rejected',
    'An approval within the compensation of the cancelled run was rejected. Recover the run to request it again.',
  );
}

function* rejectRun(execution: Execution, instance: ElementInstance, result: JsonObject): Generator<void, void> {
  endStep(execution, instance, result);
  yield* cancelAll(execution, 'rejected');
  execution.update({ outcome: 'rejected', completedAt: execution.now });
  execution.emit('run.rejected', instance, {});
  reportToParent(execution, {
    kind: 'failed',
    code: 'child_rejected',
    message: 'An approval of the child run was rejected.',
  });
}

/**
 * Sends the run back for rework. Discards the risks of the steps that rework repeats. The target can read the comment.
 */
function* rework(
  execution: Execution,
  instance: ElementInstance,
  node: UserTask,
  result: JsonObject,
): Generator<void, void> {
  const target = execution.node(node.approval.reworkStep ?? node.id);
  endStep(execution, instance, result);
  const risks = execution.risks.all();
  const reworkStartSeq = execution.risks.find(target.id)?.entered ?? instance.enteredSeq;
  const repeatedElements = findReachableElements(execution, target);
  execution.replaceRisks(
    risks.filter((risk) => risk.entered < reworkStartSeq || !repeatedElements.has(risk.elementId)),
  );
  execution.emit('rework.started', instance, { targetElementId: target.id, fromEnteredSeq: reworkStartSeq });
  const scope = yield* leaveEnclosingLoop(execution, instance);
  if (scope !== null) execution.scheduleEnter({ node: target, scope, via: null });
}

/** Returns the scope in which rework starts. Rework in a loop cancels the whole loop, including its other instances. */
function* leaveEnclosingLoop(execution: Execution, instance: ElementInstance): Generator<void, number | null> {
  const enclosingScope = instance.parent === null ? undefined : execution.get(instance.parent);
  if (enclosingScope?.loop === undefined) return instance.parent;
  yield* cancelInstance(execution, enclosingScope, 'rework');
  return enclosingScope.parent;
}

/**
 * Returns the ids of the elements that a token can reach from an element, itself included. Other branches are excluded.
 */
function findReachableElements(execution: Execution, start: FlowNode): ReadonlySet<string> {
  const reachableIds = new Set<string>([start.id]);
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const flow of node.outgoing) {
      if (reachableIds.has(flow.targetId)) continue;
      reachableIds.add(flow.targetId);
      open.push(execution.node(flow.targetId));
    }
  }
  return reachableIds;
}
