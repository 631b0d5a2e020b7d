import {
  type ElementInstance,
  type FlowNode,
  type JsonObject,
  type PolicyDecision,
  taintAll,
  type Taints,
  unreachable,
} from '@countersign/model';
import type { AgendaItem, Execution } from './execution.js';
import { toStepFailureOrRethrow, raiseIncident, StepFailure } from './incidents.js';
import {
  emitsStepStarted,
  closeWaits,
  createInstance,
  toDecisionData,
  scheduleLeave,
  recordRisk,
  toStepStart,
} from './steps.js';
import { getExpressionTaintSources, getMappingTaints, withResultTaints } from './taint.js';
import { evaluateMappings, buildEvaluationScope, setLocalVariables } from './variables.js';
import { assertWorkLimits } from './work-limits.js';
import {
  evaluatePolicy,
  shouldEvaluatePolicy,
  buildPolicyRequest,
  toRecordedRequest,
  storeDestination,
} from './evaluate-policy.js';
import { arrive } from './elements/arrive.js';
import { startChildRun } from './elements/call-activity.js';
import { enterComplexGateway } from './elements/complex-gateway.js';
import { evaluateDecision } from './elements/decision-task.js';
import { enterEventGateway } from './elements/event-gateway.js';
import { offerJob } from './elements/job-task.js';
import { evaluateScript } from './elements/script-task.js';
import { enterAdHocSubProcess, enterEventSubProcess, enterSubProcess } from './elements/sub-process.js';
import { enterThrowEvent } from './elements/throw.js';
import { subscribe } from './events/subscribe.js';
import { startLoop } from './loops/start-loop.js';
import { seedLoop } from './loops/seed-loop.js';
import { openTaskApproval } from './elements/user-task.js';
import { getPolicyRefusal } from './policy-refusal.js';
import { leave } from './leave.js';
import { resumeAgent } from './agents/resume-agent.js';

/** Handles the arrival of a token at a node. */
export function* enter(
  execution: Execution,
  { node, scope, via, event, taints, seed }: Extract<AgendaItem, { type: 'enter' }>,
): Generator<void, void> {
  if (execution.find(scope) === undefined) return;
  if (!arrive(execution, node, scope, via)) return;
  execution.enteredCount += 1;
  const instance = createInstance(execution, node, scope, seedLoop(execution, node, scope, seed));
  yield* activate(execution, node, instance, { via, event, taints });
}

export interface Activation {
  readonly via?: string | null;
  /** The payload of an event that has already happened. */
  readonly event?: JsonObject | undefined;
  /** The taints of that payload. */
  readonly taints?: Taints | undefined;
  /** Whether the instance is still subscribed to its boundary events, because the activation repeats a failed job. */
  readonly hasAttachedEvents?: boolean;
}

/** Executes a node on entry. Recovering an incident of this phase calls it again. */
export function* activate(
  execution: Execution,
  node: FlowNode,
  entered: ElementInstance,
  activation: Activation = {},
): Generator<void, void> {
  const { via = null, event, taints, hasAttachedEvents = false } = activation;
  let stepStartedData = toStepStart(node, entered, via);
  let isStartEmitted = false;
  const emitStarted = (instance: ElementInstance, privateData: { asked: JsonObject } | null = null): void => {
    execution.emit('step.started', instance, stepStartedData, privateData);
    isStartEmitted = true;
  };
  try {
    assertWorkLimits(execution);
    // Mappings and policy decisions belong to each loop instance (Zeebe: the inner activity), not to the loop around
    // them.
    const isLoop = entered.loop !== undefined;
    const mappedInputs = isLoop
      ? {}
      : evaluateMappings(node.inputs, (writtenInputs) => buildEvaluationScope(execution, entered, writtenInputs));
    const mappedTaints = isLoop ? undefined : getMappingTaints(execution, entered, node.inputs);
    const isPolicyEvaluated = !isLoop && shouldEvaluatePolicy(execution, node);
    const instanceWithVariables = setLocalVariables(execution, entered, mappedInputs, mappedTaints);
    const instance = isPolicyEvaluated
      ? storeDestination(execution, node, instanceWithVariables)
      : instanceWithVariables;
    const request = isPolicyEvaluated ? buildPolicyRequest(execution, node, instance) : null;
    const decision = request === null ? null : evaluatePolicy(execution, request);
    if (request !== null && decision !== null) {
      stepStartedData = { ...stepStartedData, policyDecision: toDecisionData(decision) };
      emitStarted(instance, toRecordedRequest(node, request));
      recordRisk(execution, instance, decision);
      const refusal = getPolicyRefusal(decision.decision, node);
      if (refusal !== undefined) {
        throw new StepFailure('policy_denied', `${refusal}: ${decision.rationale}`);
      }
    } else if (isLoop || emitsStepStarted(node)) {
      emitStarted(instance);
    }
    if (!hasAttachedEvents) attachBoundaryEvents(execution, node, instance);
    if (isLoop) startLoop(execution, node, execution.get(entered.key));
    else {
      const remainingWork = executeNode(execution, node, execution.get(entered.key), { decision, event, taints });
      if (remainingWork !== undefined) yield* remainingWork;
    }
  } catch (error) {
    const failure = toStepFailureOrRethrow(error);
    const instance = hasAttachedEvents ? execution.get(entered.key) : closeWaits(execution, execution.get(entered.key));
    if (!isStartEmitted) execution.emit('step.started', instance, stepStartedData);
    // If the events are attached, phase `job` prevents the next recovery from attaching them again.
    raiseIncident(execution, withResultTaints(instance, taints), failure, hasAttachedEvents ? 'job' : 'enter', event);
  }
}

/** Subscribes an instance to its boundary events. For a loop they are attached to the loop, not to its instances. */
export function attachBoundaryEvents(execution: Execution, node: FlowNode, instance: ElementInstance): void {
  if (instance.loopCounter !== undefined) return;
  for (const id of node.boundaryEvents) {
    const event = execution.node(id);
    if (event.kind === 'boundaryEvent') subscribe(execution, instance.key, event);
  }
}

/** @returns the remaining work, if it may concern many elements; `undefined` for most nodes, which need no generator */
function executeNode(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  {
    decision,
    event,
    taints,
  }: { decision: PolicyDecision | null; event: JsonObject | undefined; taints: Taints | undefined },
): Generator<void, void> | undefined {
  switch (node.kind) {
    case 'jobTask':
      if (instance.agent === undefined) offerJob(execution, node, instance, decision);
      else resumeAgent(execution, instance, decision);
      return;
    case 'userTask':
      if (decision !== null) openTaskApproval(execution, node, instance, decision);
      return;
    case 'catch':
      if (event !== undefined) return leave(execution, instance.key, event, taints);
      subscribe(execution, instance.key, node);
      return;
    case 'startEvent':
      // The first of several required events has started the run (start-by-event.ts).
      if (event === undefined && node.parallelMultiple) subscribe(execution, instance.key, node);
      else scheduleLeave(execution, instance, event ?? null, taints);
      return;
    case 'boundaryEvent':
      // An event that has already happened is left immediately, as in Zeebe.
      return leave(execution, instance.key, event ?? null, taints);
    case 'scriptTask':
      scheduleLeave(
        execution,
        instance,
        evaluateScript(execution, node, instance),
        taintAll({ [node.resultVariable]: null }, getExpressionTaintSources(execution, instance, node.expression)),
      );
      return;
    case 'decisionTask':
      return evaluateDecision(execution, node, instance);
    case 'endEvent':
    case 'throw':
      return enterThrowEvent(execution, node, instance);
    case 'subProcess':
      enterSubProcess(execution, node, instance);
      return;
    case 'eventSubProcess':
      enterEventSubProcess(execution, node, instance, event ?? {}, taints);
      return;
    case 'adHocSubProcess':
      enterAdHocSubProcess(execution, node, instance);
      return;
    case 'callActivity':
      startChildRun(execution, node, instance);
      return;
    case 'eventGateway':
      enterEventGateway(execution, node, instance);
      return;
    case 'linkThrow':
    case 'passTask':
    case 'exclusiveGateway':
    case 'parallelGateway':
    case 'inclusiveGateway':
      scheduleLeave(execution, instance, null);
      return;
    case 'complexGateway':
      return enterComplexGateway(execution, node, instance);
    default:
      return unreachable(node);
  }
}
