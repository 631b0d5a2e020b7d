import type { ElementInstance, Incident, JsonObject } from '@countersign/model';
import type { Execution } from './execution.js';
import { emitsStepStarted, toStepIdentity } from './steps.js';

/** Thrown when a step needs an operator. The interpreter raises an incident on the step. */
export class StepFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Whether the same step may succeed on a retry without any fix. */
    readonly retryable = false,
    /** The id of the failed call, if an agent's call failed. */
    readonly callId?: string,
  ) {
    // The message may quote any text, but only well-formed Unicode can be stored.
    super(message.toWellFormed());
    this.name = 'StepFailure';
  }
}

/** Returns the step failure, or converts an error of an expression or DMN decision to one. Rethrows any other error. */
export function toStepFailureOrRethrow(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(feel|dmn)_/.test(error.code)) {
    return new StepFailure(error.code, error.message);
  }
  throw error;
}

function callIdField({ callId }: StepFailure): { callId?: string } {
  return callId === undefined ? {} : { callId };
}

export function raiseIncident(
  execution: Execution,
  instance: ElementInstance,
  failure: StepFailure,
  phase: Incident['phase'],
  result?: JsonObject,
): void {
  const incident: Incident = {
    code: failure.code,
    message: failure.message,
    at: execution.now,
    phase,
    ...(result === undefined ? {} : { result }),
  };
  execution.put({ ...instance, incident });
  const node = execution.graph.nodes.get(instance.elementId);
  // A node without waiting time emits no `step.started`, so a failure on leaving is its first event in the history.
  const isFirst = phase === 'leave' && node !== undefined && !emitsStepStarted(node) && instance.loop === undefined;
  const stepIdentity = isFirst ? toStepIdentity(node, instance) : {};
  execution.emit(
    'step.failed',
    instance,
    { code: failure.code, phase, retryable: failure.retryable, ...callIdField(failure), ...stepIdentity },
    { message: failure.message, ...(phase === 'leave' && result !== undefined ? { result } : {}) },
  );
}
