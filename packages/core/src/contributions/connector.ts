import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';

/**
 * A connector: performs one kind of call to another system for tasks of its job type. Inputs are checked against its
 * schemas, and the element template for Camunda Modeler is generated from them.
 *
 * The inputs of a call are the results of the task's `zeebe:input` mappings only, not the other variables that the step
 * sees. The task header `resultVariable` names the variable that receives the output. Without this header the output is
 * dropped.
 */
export interface ConnectorContribution<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Id of the element template, for example `org.example.greet`. Never changes. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The `type` of `zeebe:taskDefinition` that this connector serves. */
  readonly jobType: string;
  /** Version of the element template. Incremented whenever the schemas change. */
  readonly version: number;
  /** `write` means that a call may change something in the other system. */
  readonly effect: 'read' | 'write';
  /** Strict schema of the inputs: unknown mappings are errors. Use {@link secretName} for credentials. */
  readonly input: Input;
  readonly output: Output;
  /**
   * Returns the targets of a call, redirects included: origins as in `URL.origin` (RFC 6454), or `host` or `host:port`
   * if the scheme is unknown. Policies evaluate them.
   *
   * @param input only the inputs named in {@link hostInputs}
   */
  hosts?(input: z.output<Input>): readonly string[];
  /** Names of the inputs that determine the targets of a call. Default: none. */
  readonly hostInputs?: readonly (keyof z.output<Input> & string)[];
  /**
   * Makes the call and returns its output.
   *
   * A call runs at least once: after a crash it is repeated with the same idempotency key.
   *
   * @throws {TerminalFailure} if another attempt cannot help
   * @throws {RetryableFailure} to set the earliest time of the next attempt
   * @throws {BpmnError} for an error that the BPMN model should catch
   * @throws {OutboundHttpError} which states whether it is retryable. Any other error is retried.
   */
  call(input: z.output<Input>, call: ConnectorCall): Promise<z.input<Output>>;
}

export const ConnectorContribution: ServiceIdentifier<ConnectorContribution> = Symbol.for(
  '@countersign/core:ConnectorContribution',
);

export interface ConnectorCall {
  /** The job id: unique to this call and the same for all of its attempts. */
  readonly idempotencyKey: string;
  readonly runId: string;
  readonly workflowId: string;
  readonly elementId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. */
  readonly signal: AbortSignal;
}
