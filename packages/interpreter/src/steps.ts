import {
  readAgentName,
  type ApprovalWait,
  type ElementInstance,
  type FlowNode,
  type JsonObject,
  maxRisk,
  type PolicyDecision,
  type StepIdentity,
  type StepStart,
  type Taints,
  type TimerWait,
  unreachable,
  type Wait,
} from '@countersign/model';
import type { Execution, InstanceSeed } from './execution.js';

/** Creates the instance of an element that a token enters. */
export function createInstance(
  execution: Execution,
  node: FlowNode,
  scopeKey: number,
  seed?: InstanceSeed,
): ElementInstance {
  const iteration = execution.countIteration(scopeKey, node.id);
  const key = execution.nextCounter();
  const entered = execution.state.entered + 1;
  execution.update({ entered });
  const instance: ElementInstance = {
    key,
    stepId: execution.nextId(),
    elementId: node.id,
    parent: scopeKey,
    enteredSeq: entered,
    enteredAt: execution.now,
    iteration,
    attempt: 1,
  };
  return execution.put(seed === undefined ? instance : { ...instance, ...seed });
}

/** Returns the data of a `step.started` event. */
export function toStepStart(node: FlowNode, instance: ElementInstance, via: string | null): StepStart {
  const { enteredSeq, iteration, attempt, loopCounter } = instance;
  const agentName = node.kind === 'jobTask' && instance.loop === undefined ? readAgentName(node.headers) : null;
  const data = {
    name: node.name,
    type: resolveStepType(node, instance),
    enteredSeq,
    iteration,
    attempt,
    agentName,
    via,
  };
  return loopCounter === undefined ? data : { ...data, loopCounter };
}

/** Returns the data that identifies a step, for its first event in the history. */
export function toStepIdentity(node: FlowNode, instance: ElementInstance): StepIdentity {
  return {
    name: node.name,
    type: resolveStepType(node, instance),
    enteredSeq: instance.enteredSeq,
    iteration: instance.iteration,
  };
}

/**
 * Returns the type of a step. The loop around an activity has its own type, so the history does not count it as an
 * activity (Zeebe: multi-instance body).
 */
function resolveStepType(node: FlowNode, instance: ElementInstance): string {
  if (instance.loop === undefined) return node.type;
  return node.loop?.kind === 'standard' ? 'standardLoopBody' : 'multiInstanceBody';
}

/** Returns the policy decision as the history stores it. */
export function toDecisionData(decision: PolicyDecision): JsonObject {
  return decision as unknown as JsonObject;
}

/**
 * Records the risk of a step. It supersedes the previous risk of the element. Within a loop, the highest risk of all
 * its instances applies.
 */
export function recordRisk(execution: Execution, instance: ElementInstance, decision: PolicyDecision): void {
  const { elementId, enteredSeq: entered } = instance;
  const loop = findOutermostLoop(execution, instance);
  const before = execution.risks.find(elementId);
  // When an agent continues, the risk of its earlier calls still applies.
  const since = loop === undefined ? (instance.agent === undefined ? Infinity : entered) : loop.enteredSeq;
  const level =
    before !== undefined && before.entered >= since ? maxRisk(before.level, decision.riskLevel) : decision.riskLevel;
  execution.risks.record({ elementId, entered, level });
}

/**
 * Records the risk of an agent's call if it is higher than the recorded risk of its step.
 */
export function recordCallRisk(
  execution: Execution,
  { elementId, enteredSeq }: ElementInstance,
  { riskLevel }: PolicyDecision,
): void {
  const before = execution.risks.find(elementId);
  if (before === undefined) execution.risks.record({ elementId, entered: enteredSeq, level: riskLevel });
  else if (maxRisk(before.level, riskLevel) !== before.level) execution.risks.record({ ...before, level: riskLevel });
}

function findOutermostLoop(execution: Execution, instance: ElementInstance): ElementInstance | undefined {
  let found: ElementInstance | undefined;
  let current: ElementInstance | undefined = instance;
  while (current !== undefined) {
    if (current.loop !== undefined) found = current;
    current = current.parent === null ? undefined : execution.find(current.parent);
  }
  return found;
}

export function addWait(execution: Execution, key: number, wait: Wait): ElementInstance {
  const instance = execution.get(key);
  // New members go first: V8 (in Node 20) is ten times as slow at adding a member to a copy that starts with a spread.
  return execution.put(
    instance.waits === undefined ? { waits: [wait], ...instance } : { ...instance, waits: [...instance.waits, wait] },
  );
}

/**
 * Removes waits from an instance (all by default) and emits the matching close requests. Approvals and questions are
 * withdrawn by their own modules.
 */
export function closeWaits(
  execution: Execution,
  instance: ElementInstance,
  isSelected: (wait: Wait) => boolean = () => true,
): ElementInstance {
  if (instance.waits === undefined) return instance;
  for (const wait of instance.waits) if (isSelected(wait)) closeWait(execution, wait);
  const remaining = instance.waits.filter((wait) => !isSelected(wait));
  if (remaining.length > 0) return execution.put({ ...instance, waits: remaining });
  const { waits: _closed, ...rest } = instance;
  return execution.put(rest);
}

/** Returns whether a wait belongs to the element itself and not to an attached event. */
export function isOwnWait(instance: ElementInstance, wait: Wait): boolean {
  return !('elementId' in wait) || wait.elementId === instance.elementId;
}

function closeWait(execution: Execution, wait: Wait): void {
  switch (wait.kind) {
    case 'job':
      execution.request({ type: 'job.withdraw', jobId: wait.jobId });
      return;
    case 'message':
      execution.request({ type: 'subscription.close', subscriptionId: wait.subscriptionId });
      return;
    case 'signal':
      execution.request({ type: 'signal.close', subscriptionId: wait.subscriptionId });
      return;
    case 'timer':
      execution.request({ type: 'timer.disarm', timerId: wait.timerId });
      return;
    case 'approval':
    case 'question':
    case 'condition':
    case 'child':
      return;
    default:
      return unreachable(wait);
  }
}

/** Returns whether a node takes time and therefore emits `step.started`. Other nodes emit only `step.completed`. */
export function emitsStepStarted(node: FlowNode): boolean {
  switch (node.kind) {
    case 'jobTask':
    case 'userTask':
    case 'catch':
    case 'eventGateway':
    case 'subProcess':
    case 'adHocSubProcess':
    case 'eventSubProcess':
    case 'callActivity':
      return true;
    case 'startEvent':
      // A parallel multiple start event waits for the remaining events.
      return node.parallelMultiple;
    case 'endEvent':
    case 'boundaryEvent':
    case 'throw':
    case 'linkThrow':
    case 'scriptTask':
    case 'decisionTask':
    case 'passTask':
    case 'exclusiveGateway':
    case 'parallelGateway':
    case 'inclusiveGateway':
    case 'complexGateway':
      return false;
    default:
      return unreachable(node);
  }
}

export function findApprovalWait(instance: ElementInstance): ApprovalWait | undefined {
  return instance.waits?.find((wait): wait is ApprovalWait => wait.kind === 'approval');
}

export function armTimer(
  execution: Execution,
  instance: ElementInstance,
  purpose: TimerWait['purpose'],
  dueAt: number,
  questionId?: string,
): TimerWait {
  const timerId = execution.nextId();
  const wait: TimerWait = {
    kind: 'timer',
    timerId,
    elementId: instance.elementId,
    purpose,
    dueAt,
    since: execution.now,
    ...(questionId === undefined ? {} : { questionId }),
  };
  addWait(execution, instance.key, wait);
  execution.request({ type: 'timer.arm', timerId, stepId: instance.stepId, dueAt });
  return wait;
}

/** Schedules the end of an instance. Its result is processed with the agenda item. */
export function scheduleLeave(
  execution: Execution,
  instance: ElementInstance,
  result: JsonObject | null,
  taints?: Taints,
): void {
  execution.agenda.push({ type: 'leave', key: instance.key, result, taints });
}
