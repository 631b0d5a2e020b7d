import { isJsonObject, type Json, type JsonObject, type RunEvent } from '@countersign/model';
import { AgentStepStatus } from './agent-step-status.js';
import { toTimestamp } from './views/to-json-response.js';
import type { PolicyDecisionView, StepView } from './views/step-view.js';

type SourceEvent = Pick<RunEvent, 'seq' | 'at' | 'type' | 'stepId' | 'elementId' | 'data' | 'private'>;

/** BPMN types whose steps wait for an external trigger as soon as they start. */
const WAITING_TYPES: ReadonlySet<string> = new Set([
  'userTask',
  'receiveTask',
  'intermediateCatchEvent',
  'eventBasedGateway',
]);

/**
 * Steps of a run, built from its history. Changed steps are replaced, never mutated, so a returned view never changes.
 */
export class StepProjection {
  /** Position of the last event in the projection. */
  seq = 0;
  inputs: JsonObject = {};
  /** Approximate size in characters, for cache limits. */
  weight = 0;
  private readonly steps = new Map<string, StepView>();
  /** Status of the steps with active agents, by step id. */
  private readonly agents = new Map<string, AgentStepStatus>();

  get count(): number {
    return this.steps.size;
  }

  /** Returns an independent copy. */
  copy(): StepProjection {
    const copy = new StepProjection();
    Object.assign(copy, { seq: this.seq, inputs: this.inputs, weight: this.weight });
    for (const [stepId, step] of this.steps) copy.steps.set(stepId, step);
    for (const [stepId, agent] of this.agents) copy.agents.set(stepId, agent.copy());
    return copy;
  }

  /** Returns the steps in the order in which they were entered. */
  listSteps(): StepView[] {
    return [...this.steps.values()].sort((a, b) => a.enteredSeq - b.enteredSeq);
  }

  /** Applies further events. Skips events that were already applied. */
  applyAll(events: Iterable<SourceEvent>): this {
    for (const event of events) {
      if (event.seq <= this.seq) continue;
      if (event.seq !== this.seq + 1)
        throw new Error(`Run event ${this.seq + 1} is missing before run event ${event.seq}.`);
      this.seq = event.seq;
      this.apply(event);
    }
    return this;
  }

  /** Same as {@link applyAll}, but yields after each event. */
  *applyAllInPieces(events: Iterable<SourceEvent>): Generator<void, this> {
    for (const event of events) {
      this.applyAll([event]);
      yield;
    }
    return this;
  }

  private apply(event: SourceEvent): void {
    if (event.type === 'run.started') {
      const startEvent = event.private?.['startEvent'];
      this.addInputs(event.private?.['inputs']);
      this.addInputs(isJsonObject(startEvent) ? startEvent['payload'] : undefined);
      return;
    }
    // The fields of a message become inputs of the run that receives it.
    if (event.type === 'message.received') this.addInputs(event.private?.['payload']);
    if (event.stepId === null) return;
    const currentStep = this.steps.get(event.stepId);
    const nextStep =
      currentStep === undefined ? createStep(event) : this.applyAgentEvent(applyStepEvent(currentStep, event), event);
    if (nextStep === undefined || nextStep === currentStep) return;
    this.steps.set(event.stepId, nextStep);
    this.weight += 300 + (nextStep.output === null ? 0 : JSON.stringify(nextStep.output).length);
  }

  private addInputs(added: Json | undefined): void {
    if (!isJsonObject(added)) return;
    this.inputs = { ...this.inputs, ...added };
    this.weight += JSON.stringify(added).length;
  }

  /** Updates an agent step. Whether the step waits depends on all of its parallel calls. */
  private applyAgentEvent(step: StepView, event: SourceEvent): StepView {
    if (event.type === 'step.completed' || event.type === 'step.cancelled') this.agents.delete(step.stepId);
    const currentAgent = this.agents.get(step.stepId);
    if (currentAgent !== undefined && event.type === 'approval.requested')
      return { ...step, status: currentAgent.status };
    if (!event.type.startsWith('agent.') && !event.type.startsWith('question.')) return step;
    const agent = currentAgent ?? new AgentStepStatus();
    this.agents.set(step.stepId, agent);
    agent.apply(event);
    const agentName = event.type === 'agent.turn' ? stringOr(event.data['agent'], step.agentName) : step.agentName;
    // A failed step stays failed until it is recovered, regardless of the results of its other calls.
    return { ...step, agentName, status: step.status === 'failed' ? 'failed' : agent.status };
  }
}

const STEP_START_EVENTS: ReadonlySet<string> = new Set(['step.started', 'step.completed', 'step.failed']);

/**
 * Returns whether an event records that a BPMN event threw an error or an escalation. Catching it may end the step
 * before its completion is recorded.
 */
function isThrowEvent({ type, data }: SourceEvent): boolean {
  return (type === 'error.thrown' || type === 'escalation.thrown') && typeof data['type'] === 'string';
}

/**
 * Creates a step from its first event: its start, or, if no start was recorded, its completion, its failure or the
 * error or escalation that it threw.
 */
function createStep(event: SourceEvent): StepView | undefined {
  const { data } = event;
  if (!STEP_START_EVENTS.has(event.type) && !isThrowEvent(event)) return undefined;
  const step: StepView = {
    stepId: event.stepId ?? '',
    elementId: event.elementId ?? '',
    name: stringOr(data['name'], null),
    type: stringOr(data['type'], ''),
    status: 'active',
    attempt: numberOr(data['attempt'], 1),
    iteration: numberOr(data['iteration'], 1),
    enteredSeq: numberOr(data['enteredSeq'], event.seq),
    startedAt: toTimestamp(event.at),
    completedAt: null,
    agentName: null,
    calledRunId: null,
    output: null,
    error: null,
    policyDecision: null,
  };
  return applyStepEvent(step, event);
}

function applyStepEvent(step: StepView, event: SourceEvent): StepView {
  const { data } = event;
  switch (event.type) {
    case 'step.started':
      return {
        ...step,
        status: WAITING_TYPES.has(step.type) ? 'waiting' : 'active',
        attempt: numberOr(data['attempt'], step.attempt),
        agentName: stringOr(data['agentName'], step.agentName),
        error: null,
        policyDecision: toPolicyDecisionView(data['policyDecision'], event.at) ?? step.policyDecision,
      };
    case 'approval.requested':
    case 'message.awaited':
      return { ...step, status: 'waiting' };
    case 'child.requested':
      return { ...step, calledRunId: stringOr(data['childRunId'], null) };
    case 'step.attempt_failed':
      // A step waiting for its next attempt counts as active; the error gives the reason.
      return {
        ...step,
        status: 'active',
        attempt: numberOr(data['attempt'], step.attempt) + 1,
        error: toStepError(event, true),
      };
    case 'step.failed':
      return { ...step, status: 'failed', error: toStepError(event, data['retryable'] === true) };
    case 'step.retried':
      return { ...step, status: 'active', attempt: numberOr(data['attempt'], step.attempt), error: null };
    case 'step.migrated':
      return {
        ...step,
        elementId: event.elementId ?? step.elementId,
        name: stringOr(data['name'], null),
        policyDecision: toPolicyDecisionView(data['policyDecision'], event.at) ?? step.policyDecision,
      };
    case 'step.completed':
      return {
        ...step,
        status: 'completed',
        completedAt: toTimestamp(event.at),
        output: event.private?.['output'] ?? null,
        error: null,
      };
    case 'step.cancelled':
      return { ...step, status: 'cancelled', completedAt: toTimestamp(event.at) };
    default:
      return step;
  }
}

/** Returns the error of a failure. Uses the recorded `retryable`, or the default for the type of event. */
function toStepError(event: SourceEvent, fallback: boolean): StepView['error'] {
  const { code, retryable } = event.data;
  return {
    code: stringOr(code, 'unknown'),
    // Free text is private, and an erasure removes it.
    message: stringOr(event.private?.['message'], ''),
    retryable: typeof retryable === 'boolean' ? retryable : fallback,
  };
}

function toPolicyDecisionView(value: Json | undefined, at: number): PolicyDecisionView | undefined {
  return isJsonObject(value) ? ({ ...value, decidedAt: toTimestamp(at) } as unknown as PolicyDecisionView) : undefined;
}

function stringOr<T extends string | null>(value: Json | undefined, fallback: T): string | T {
  return typeof value === 'string' ? value : fallback;
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
