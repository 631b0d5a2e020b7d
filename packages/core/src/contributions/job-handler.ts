import { type ArtifactRecord, brand, hasBrand, type JsonObject, type ToolConstraints } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';
import type { Readable } from 'node:stream';

/** Executes the jobs of one job type. Contributed by connectors and agent runtimes. */
export interface JobHandlerContribution {
  /** The `type` of `zeebe:taskDefinition` that this handler serves. */
  readonly jobType: string;
  /**
   * Executes one job and returns its output variables as a JSON object. A value that JSON would change without an
   * error, such as a `Map`, causes an incident (`job_result_invalid`).
   *
   * A job runs at least once: after a crash it is claimed again under the same `jobId`, which is its idempotency key.
   *
   * @throws {TerminalFailure} if another attempt cannot help. Any other error is retried.
   */
  execute(job: Job): Promise<JsonObject>;
  /**
   * Returns the targets of a job, as far as they are known: origins as in `URL.origin` (RFC 6454), or `host` or
   * `host:port` if the scheme is unknown. Policies evaluate them before the job runs, so this method uses only `task`,
   * is synchronous and has no side effects. If it throws, the step is denied.
   *
   * @param task contains only the inputs named in {@link hostInputs}, because other inputs may be large
   */
  hosts?(task: Pick<Job, 'headers' | 'inputs'>): readonly string[];
  /** Names of the inputs that determine the targets of a job. Default: none. */
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
  /** Variables visible to the step. */
  readonly variables: JsonObject;
  /** Results of the step's input mappings: the values that the BPMN model passes explicitly. */
  readonly inputs: JsonObject;
  readonly toolConstraints: ToolConstraints | null;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
  /** Stores an artifact in the run. */
  putArtifact(name: string, content: Readable | Buffer | string, contentType: string): Promise<ArtifactRecord>;
}

/** Thrown when a job failed and would fail again. Raises an incident immediately. */
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

/**
 * Returns whether a value is a {@link TerminalFailure} of any copy of this package. Use this instead of `instanceof`.
 */
export function isTerminalFailure(value: unknown): value is TerminalFailure {
  return hasBrand(value, 'TerminalFailure');
}

/** Thrown when a job failed and another attempt may help. */
export class RetryableFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Minimum delay before the next attempt, in milliseconds. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'RetryableFailure';
  }
}

brand(RetryableFailure, 'RetryableFailure');

/**
 * Returns whether a value is a {@link RetryableFailure} of any copy of this package. Use this instead of `instanceof`.
 */
export function isRetryableFailure(value: unknown): value is RetryableFailure {
  return hasBrand(value, 'RetryableFailure');
}

/** Thrown for an error as defined by BPMN 2.0 (10.5.1). A boundary event may catch it. */
export class BpmnError extends Error {
  constructor(
    readonly errorCode: string,
    message = '',
    /**
     * Variables local to the boundary event that catches the error. Its output mappings pass them on. An event
     * sub-process that catches the error writes them to its scope.
     */
    readonly variables: JsonObject = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'BpmnError';
  }
}

brand(BpmnError, 'BpmnError');

/** Returns whether a value is a {@link BpmnError} of any copy of this package. Use this instead of `instanceof`. */
export function isBpmnError(value: unknown): value is BpmnError {
  return hasBrand(value, 'BpmnError');
}
