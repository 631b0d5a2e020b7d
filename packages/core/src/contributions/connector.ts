import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';

/**
 * Does one kind of call to another system, as the work of tasks of its job type. Its schemas are all there is to know of
 * it: inputs are checked against them, and the element template for Camunda Modeler is made of them.
 *
 * How it meets a model: the inputs are what the `zeebe:input` mappings of the task make, and nothing else that the step
 * sees; the task header `resultVariable` names the variable that takes the output. Without it the output is dropped.
 */
export interface ConnectorContribution<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Of its element template, for example `org.example.greet`. Never changes. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The `type` of `zeebe:taskDefinition` that it serves. */
  readonly jobType: string;
  /** Of its element template: one more whenever the schemas change. */
  readonly version: number;
  /** `write`: a call may change something elsewhere. */
  readonly effect: 'read' | 'write';
  /** Strict: a mapping that it does not know is a mistake. Credentials are {@link secretName}s. */
  readonly input: Input;
  readonly output: Output;
  /**
   * Where a call goes, redirects included: origins as `URL.origin` gives them (RFC 6454), or `host` or `host:port` where the
   * scheme is not known. Policies decide by it.
   *
   * @param input those of {@link hostInputs} alone
   */
  hosts?(input: z.output<Input>): readonly string[];
  /** Names of the inputs that tell where a call goes to; by default none. */
  readonly hostInputs?: readonly (keyof z.output<Input> & string)[];
  /**
   * Makes the call, and gives what comes of it.
   *
   * It happens at least once: after a crash it is made again with the same idempotency key.
   * @throws {TerminalFailure} where another attempt can't help; {RetryableFailure} to say when to try again; {BpmnError} for
   * what the model is to catch. An {OutboundHttpError} says by itself whether to try again; anything else is tried again.
   */
  call(input: z.output<Input>, call: ConnectorCall): Promise<z.input<Output>>;
}

export const ConnectorContribution: ServiceIdentifier<ConnectorContribution> = Symbol.for(
  '@countersign/core:ConnectorContribution',
);

export interface ConnectorCall {
  /** The job's id: the same at every attempt at this call, and never that of another one. */
  readonly idempotencyKey: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly elementId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
}
