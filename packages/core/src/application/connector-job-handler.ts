import { z } from 'zod';
import {
  RetryableFailure,
  TerminalFailure,
  type Job,
  type JobHandlerContribution,
} from '../contributions/job-handler.js';
import type { ConnectorContribution } from '../contributions/connector.js';
import { type JsonObject, pathToPointer } from '@countersign/model';
import { isOutboundHttpError } from '../errors/outbound-http-error.js';

const RESULT_VARIABLE = 'resultVariable';
/**
 * Headers that the connectors of Camunda support but Countersign does not, each with a remedy. Ignoring them silently
 * would deviate from the BPMN model.
 */
const UNSUPPORTED_HEADERS: Readonly<Record<string, string>> = {
  resultExpression: 'Set "resultVariable", and map that variable in the output mappings of the task.',
  errorExpression: 'Evaluate the output after the task.',
  retryBackoff: 'Remove it: the delay between attempts increases automatically.',
};
const VARIABLE_NAME = /^[A-Za-z_]\w{0,199}$/;
const MAX_PROBLEMS = 10;

/**
 * Adapts a connector to a job handler: checks its inputs, classifies its failures, and stores its output in one
 * variable.
 */
export class ConnectorJobHandler implements JobHandlerContribution {
  readonly jobType: string;
  readonly hostInputs: readonly string[];

  constructor(private readonly connector: ConnectorContribution) {
    this.jobType = connector.jobType;
    this.hostInputs = connector.hostInputs ?? [];
  }

  async execute(job: Job): Promise<JsonObject> {
    const resultVariable = readResultVariable(job.headers);
    this.rejectIfDenied(job);
    const input = this.readInput(job.inputs);
    const output = this.connector.output.safeParse(await this.call(input, job));
    if (!output.success)
      throw new TerminalFailure(
        'connector_output_invalid',
        `${this.connector.title} returned an invalid result: ${describeIssues(output.error)}`,
      );
    return resultVariable === undefined ? {} : { [resultVariable]: output.data as JsonObject };
  }

  /** @throws {Error} if the connector cannot determine the hosts */
  hosts({ inputs }: Pick<Job, 'inputs'>): readonly string[] {
    const inputValues = omitNulls(inputs);
    const input: Record<string, unknown> = {};
    for (const name of this.hostInputs) {
      const schema = this.connector.input.shape[name];
      if (schema === undefined) throw new Error(`${this.connector.title} has no input "${name}".`);
      const parsed = z.safeParse(schema, inputValues[name]);
      // A connector makes no call with invalid inputs.
      if (!parsed.success) return [];
      input[name] = parsed.data;
    }
    return this.connector.hosts?.(input) ?? [];
  }

  private async call(
    input: Record<string, unknown>,
    { jobId: idempotencyKey, runId, workflowId, elementId, attempt, signal }: Job,
  ): Promise<unknown> {
    try {
      return await this.connector.call(input, { idempotencyKey, runId, workflowId, elementId, attempt, signal });
    } catch (error) {
      if (!isOutboundHttpError(error)) throw error;
      const { code, message, retryable } = error;
      throw retryable
        ? new RetryableFailure(code, message, undefined, { cause: error })
        : new TerminalFailure(code, message, { cause: error });
    }
  }

  private readInput(inputs: JsonObject): Record<string, unknown> {
    const parsed = this.connector.input.safeParse(omitNulls(inputs));
    if (parsed.success) return parsed.data;
    throw new TerminalFailure(
      'connector_input_invalid',
      `${this.connector.title} cannot be called with these inputs: ${describeIssues(parsed.error)}`,
    );
  }

  /** Refuses a call that the policy does not allow. A connector is treated as a tool whose name is its job type. */
  private rejectIfDenied({ toolConstraints }: Job): void {
    if (toolConstraints === null) return;
    const { denied, requireApproval } = toolConstraints;
    if (denied.includes(this.jobType) || requireApproval.includes(this.jobType)) {
      throw new TerminalFailure('policy_denied', `The policy does not let this step call "${this.jobType}".`);
    }
  }
}

/**
 * Removes inputs that are null, because an element template of Camunda Modeler maps an empty input to null.
 */
function omitNulls(inputs: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
}

/**
 * Checks the task headers.
 *
 * @returns the name of the output variable, if there is one
 */
function readResultVariable(headers: Job['headers']): string | undefined {
  for (const [name, alternative] of Object.entries(UNSUPPORTED_HEADERS)) {
    if (Object.hasOwn(headers, name) && headers[name] !== '') {
      throw new TerminalFailure(
        'connector_header_unsupported',
        `The task header "${name}" is not supported. ${alternative}`,
      );
    }
  }
  const variable = Object.hasOwn(headers, RESULT_VARIABLE) ? headers[RESULT_VARIABLE] : undefined;
  if (variable === undefined || variable === '') return undefined;
  if (VARIABLE_NAME.test(variable)) return variable;
  throw new TerminalFailure(
    'connector_header_invalid',
    'The task header "resultVariable" must be a variable name of letters, digits and "_".',
  );
}

/**
 * Describes problems, each with its JSON Pointer (RFC 6901). Omits the values, because the message becomes part of the
 * history.
 */
function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.length === 0 ? '' : `at "${pathToPointer(path)}": `}${message}`)
    .join('; ');
}
