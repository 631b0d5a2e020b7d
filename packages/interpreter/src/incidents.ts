import type { ElementInstance, Incident, JsonObject } from '@countersign/model';
import type { Execution } from './execution.js';
import { announcesStart, identity } from './steps.js';

/** What stops a step where only a person can help: it becomes an incident of the step. */
export class StepFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Whether the same step may work another time without anything being mended. */
    readonly retryable = false,
    /** The call of an agent that failed, where it was one. */
    readonly callId?: string,
  ) {
    // It may quote anything, and is stored.
    super(message.toWellFormed());
    this.name = 'StepFailure';
  }
}

/** The failure as it is recorded: a code that is stable, and a message for people. */
export function asStepFailure(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(feel|dmn)_/.test(error.code)) {
    return new StepFailure(error.code, error.message);
  }
  throw error;
}

function ofCall({ callId }: StepFailure): { callId?: string } {
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
  // What passes at once was not seen to begin: its failure on the way out is the first that the history tells of it.
  const isFirst = phase === 'leave' && node !== undefined && !announcesStart(node) && instance.loop === undefined;
  const who = isFirst ? identity(node, instance) : {};
  execution.emit(
    'step.failed',
    instance,
    { code: failure.code, phase, retryable: failure.retryable, ...ofCall(failure), ...who },
    { message: failure.message, ...(phase === 'leave' && result !== undefined ? { result } : {}) },
  );
}
