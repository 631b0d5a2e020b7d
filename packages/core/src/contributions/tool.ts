import { brand, hasBrand, type Json, type JsonObject } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';
import type { RunArtifacts } from '../ports/run-artifacts.js';

/**
 * A tool that agents may call. The language model receives its input schema, and arguments are checked against it
 * before the policy, a user or the tool sees them.
 */
export interface ToolContribution<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Dotted name, for example `artifact.read`. */
  readonly name: string;
  /** Description for the language model: purpose, when to use the tool, and its result. */
  readonly description: string;
  /** Strict schema of the arguments: unknown arguments are errors. Use {@link secretName} for credentials. */
  readonly input: Input;
  readonly output: Output;
  readonly effect: ToolEffect;
  /** Whether the effect of a call can be undone. */
  readonly reversible: boolean;
  readonly unknownOutcome: UnknownOutcome;
  /**
   * Returns the targets of a call: origins as in `URL.origin` (RFC 6454), or `host` or `host:port` if the scheme is
   * unknown. Policies evaluate them.
   */
  hosts?(input: z.output<Input>): readonly string[];
  /** Returns the names of the run's artifacts that a call reads. They become part of the subject that is approved. */
  artifacts?(input: z.output<Input>): readonly string[];
  /**
   * Makes the call.
   *
   * @throws {ToolError} if the call certainly had no effect: it was not made, or it failed. The language model receives
   * the error and may try something else.
   * @throws {RetryableFailure} if the call was certainly not made and another attempt may help. After any other error
   * the outcome of the call is unknown.
   */
  call(input: z.output<Input>, call: ToolCall): Promise<ToolOutput<z.input<Output>>>;
  /** Looks up the outcome of a call that was started earlier. Only with `unknownOutcome: 'lookup'`. */
  lookUp?(input: z.output<Input>, call: ToolCall): Promise<LookupResult<z.input<Output>>>;
}

export const ToolContribution: ServiceIdentifier<ToolContribution> = Symbol.for('@countersign/core:ToolContribution');

export type ToolEffect = 'read' | 'write';

/**
 * Handling of a call whose outcome is unknown because its worker died. `repeat` runs the call again, because it only
 * reads or because the idempotency key prevents a second effect. `lookup` looks the outcome up. `park` leaves it to an
 * operator.
 */
export type UnknownOutcome = 'repeat' | 'lookup' | 'park';

export interface ToolOutput<T = Json> {
  readonly content: T;
  /**
   * Taint sources: the external origins of the content. Default: `tool:<name>`. An empty list asserts that the content
   * comes from the run itself.
   */
  readonly taint?: readonly string[];
}

export type LookupResult<T = Json> =
  | { readonly executed: true; readonly output: ToolOutput<T> }
  | { readonly executed: false }
  | { readonly executed: 'unknown' };

/** A tool call and the data of the run that it may use. */
export interface ToolCall {
  /** Unique to this call and the same for all of its attempts. */
  readonly idempotencyKey: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly elementId: string;
  readonly stepId: string;
  readonly agentName: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
  /** Variables visible to the step; `inputs` holds the results of its input mappings. */
  readonly variables: JsonObject;
  readonly inputs: JsonObject;
  /** Taint sources of the step's variables, by name. */
  readonly taints: Readonly<Record<string, readonly string[]>>;
  readonly artifacts: RunArtifacts;
}

/**
 * Thrown when a call certainly had no effect: it was not made, or it failed. The message goes to the language model, so
 * it must be actionable.
 */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ToolError';
  }
}

brand(ToolError, 'ToolError');

/** Returns whether a value is a {@link ToolError} of any copy of this package. Use this instead of `instanceof`. */
export function isToolError(value: unknown): value is ToolError {
  return hasBrand(value, 'ToolError');
}
