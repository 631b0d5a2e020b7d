import { type ArtifactRecord, brand, hasBrand, type JsonObject, type ToolConstraints } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';
import type { Readable } from 'node:stream';

/** Does the work of tasks of one job type: what a connector or an agent runtime contributes. */
export interface JobHandlerContribution {
  /** The `type` of `zeebe:taskDefinition` that it serves. */
  readonly jobType: string;
  /**
   * Does one job and gives the variables that come out of it: a JSON object. What JSON would change without an error, such as
   * a `Map`, is an incident (`job_result_invalid`).
   *
   * A job is done at least once: after a crash it is given out again under the same `jobId`, which is its idempotency
   * key. @throws {TerminalFailure} where another attempt can't help; anything else is tried again.
   */
  execute(job: Job): Promise<JsonObject>;
  /**
   * Where a job goes, as far as is known: origins as `URL.origin` gives them (RFC 6454), or `host` or `host:port` where the
   * scheme is not known. Policies decide by it before the job, so it is computed from `task` alone, synchronously and without
   * side effects. An exception denies the step.
   *
   * @param task its inputs are those of {@link hostInputs} alone, since others may be large
   */
  hosts?(task: Pick<Job, 'headers' | 'inputs'>): readonly string[];
  /** Names of the inputs that tell where a job goes to; by default none. */
  readonly hostInputs?: readonly string[];
}

export const JobHandlerContribution: ServiceIdentifier<JobHandlerContribution> = Symbol.for(
  '@countersign/core:JobHandlerContribution',
);

export interface Job {
  readonly jobId: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly stepId: string;
  readonly elementId: string;
  readonly jobType: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What the step sees. */
  readonly variables: JsonObject;
  /** What the input mappings of the step made of that: all that a model hands over on purpose. */
  readonly inputs: JsonObject;
  readonly toolConstraints: ToolConstraints | null;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
  /** Puts an artifact into the run. */
  putArtifact(name: string, content: Readable | Buffer | string, contentType: string): Promise<ArtifactRecord>;
}

/** The work failed and will fail again: an incident at once. */
export class TerminalFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TerminalFailure';
  }
}

brand(TerminalFailure, 'TerminalFailure');

/** Whether this is a {@link TerminalFailure}, of any copy of this package: use this instead of `instanceof`. */
export function isTerminalFailure(value: unknown): value is TerminalFailure {
  return hasBrand(value, 'TerminalFailure');
}

/** The work failed, and another attempt may help. */
export class RetryableFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Milliseconds to wait at least. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'RetryableFailure';
  }
}

brand(RetryableFailure, 'RetryableFailure');

/** Whether this is a {@link RetryableFailure}, of any copy of this package: use this instead of `instanceof`. */
export function isRetryableFailure(value: unknown): value is RetryableFailure {
  return hasBrand(value, 'RetryableFailure');
}

/** The work met what the model calls an error (BPMN 2.0, 10.5.1): a boundary event may catch it. */
export class BpmnError extends Error {
  constructor(
    readonly errorCode: string,
    message = '',
    /**
     * Local to the boundary event that catches it, whose output mappings hand them on. An event sub-process that catches it
     * writes them to its scope.
     */
    readonly variables: JsonObject = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'BpmnError';
  }
}

brand(BpmnError, 'BpmnError');

/** Whether this is a {@link BpmnError}, of any copy of this package: use this instead of `instanceof`. */
export function isBpmnError(value: unknown): value is BpmnError {
  return hasBrand(value, 'BpmnError');
}
