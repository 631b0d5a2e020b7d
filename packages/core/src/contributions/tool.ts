import { brand, hasBrand, type Json, type JsonObject } from '@countersign/model';
import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';
import type { RunArtifacts } from '../ports/run-artifacts.js';

/**
 * A tool that agents may call. Its schemas are all that there is to know of it: the model is shown them, and arguments
 * are checked against them before the policy, a person or the tool sees them.
 */
export interface ToolContribution<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Dotted, for example `artifact.read`. */
  readonly name: string;
  /** For the model: what it does, when to use it, what comes back. */
  readonly description: string;
  /** Strict: an argument that it does not know is a mistake. Credentials are {@link secretName}s. */
  readonly input: Input;
  readonly output: Output;
  readonly effect: ToolEffect;
  /** Whether what it did can be undone. */
  readonly reversible: boolean;
  readonly unknownOutcome: UnknownOutcome;
  /**
   * Where a call goes: origins as `URL.origin` gives them (RFC 6454), or `host` or `host:port` where the scheme is not known.
   * Policies decide by it.
   */
  hosts?(input: z.output<Input>): readonly string[];
  /** Names of the run's artifacts that a call reads: they become part of what is approved. */
  artifacts?(input: z.output<Input>): readonly string[];
  /**
   * Makes the call.
   *
   * @throws {ToolError} the call was surely not made, or made in vain: the model is told, and may try otherwise;
   * {RetryableFailure} it was surely not made, and another attempt may help. Anything else leaves open whether it was made
   */
  call(input: z.output<Input>, call: ToolCall): Promise<ToolOutput<z.input<Output>>>;
  /** Only with `unknownOutcome: 'lookup'`. Looks up what became of a call that was begun before. */
  lookUp?(input: z.output<Input>, call: ToolCall): Promise<LookupResult<z.input<Output>>>;
}

export const ToolContribution: ServiceIdentifier<ToolContribution> = Symbol.for('@countersign/core:ToolContribution');

export type ToolEffect = 'read' | 'write';

/**
 * What to do where nobody knows whether a call was made (its worker died): `repeat` it, since it is a read or since the
 * idempotency key keeps it from happening twice; look it up; or park it for a person.
 */
export type UnknownOutcome = 'repeat' | 'lookup' | 'park';

export interface ToolOutput<T = Json> {
  readonly content: T;
  /** Sources of taint: where the content comes from outside. `tool:<name>` where nothing is said; an empty list is a promise that it is the run's own. */
  readonly taint?: readonly string[];
}

export type LookupResult<T = Json> =
  { readonly made: true; readonly output: ToolOutput<T> } | { readonly made: false } | { readonly made: 'unknown' };

/** The call that a tool makes, and what it may use of the run. */
export interface ToolCall {
  /** The same at every attempt at this call, and never that of another one. */
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
  /** What the step sees, and what its input mappings made of that. */
  readonly variables: JsonObject;
  readonly inputs: JsonObject;
  /** Sources of taint of the step's variables, by name. */
  readonly taints: Readonly<Record<string, readonly string[]>>;
  readonly artifacts: RunArtifacts;
}

/** The call was surely not made, or in vain: goes to the model, in words that it can act on. */
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

/** Whether this is a {@link ToolError}, of any copy of this package: use this instead of `instanceof`. */
export function isToolError(value: unknown): value is ToolError {
  return hasBrand(value, 'ToolError');
}
