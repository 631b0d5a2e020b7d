import { inject, injectable } from 'inversify';
import {
  type AgentCall,
  canonicalJson,
  ApiError,
  findInputProblem,
  isApiError,
  isJsonObject,
  type Json,
  type JsonObject,
  type ProposedCall,
  type ToolCallSubject,
} from '@countersign/model';
import { AgentRuntimePort } from '../ports/agent-runtime.js';
import type { ApprovalRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { approvalNotFoundError, inputError, type FieldError } from './errors.js';

const EDITED_ARGUMENTS_POINTER = '/editedArguments';

/** Checks edited arguments of an agent's tool call, and proposes the edited call. */
@injectable()
export class EditCall {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(AgentRuntimePort) private readonly runtime: Pick<AgentRuntimePort, 'proposeCall'>,
  ) {}

  /**
   * Validates edited arguments as if the agent had proposed them. Returns `undefined` if the call does not change.
   *
   * @throws {ApiError} `approval_not_found`, `edit_not_possible`, `validation_failed`
   */
  async execute(approvalId: string, editedArguments: JsonObject): Promise<ProposedCall | undefined> {
    const problem = findInputProblem(editedArguments, EDITED_ARGUMENTS_POINTER);
    if (problem !== undefined)
      throw inputError('validation_failed', 'The arguments cannot be stored.', [{ ...problem }]);
    const approval = await this.storage.findApproval(approvalId);
    if (approval === undefined) throw approvalNotFoundError(approvalId);
    if (approval.subject.kind !== 'tool_call') throw editNotPossibleError('This approval is not for a tool call.');
    const call = toAgentCall(approval, approval.subject);
    const proposed = await this.propose(call, editedArguments);
    if (proposed.problem !== null)
      throw inputError('validation_failed', proposed.problem.message, [
        { pointer: EDITED_ARGUMENTS_POINTER, ...proposed.problem },
      ]);
    return canonicalJson(proposed.arguments) === canonicalJson(call.arguments) ? undefined : proposed;
  }

  private async propose(call: AgentCall, editedArguments: JsonObject): Promise<ProposedCall> {
    try {
      return await this.runtime.proposeCall(call, editedArguments);
    } catch (error) {
      if (!(isApiError(error) && error.code === 'validation_failed')) throw error;
      throw inputError('validation_failed', error.message, toFieldErrors(error.details['errors']));
    }
  }
}

/**
 * Returns the call of an approval. Data that only the run stores, such as the call id that the language model assigned,
 * gets a placeholder, because an edit does not change it.
 */
function toAgentCall({ approvalId, round }: ApprovalRecord, subject: ToolCallSubject): AgentCall {
  const { callId, tool, toolDigest, effect, reversible, hosts, taint, inputs, evidence } = subject;
  const artifacts = evidence.map(({ name }) => name);
  return {
    callId,
    tool,
    toolDigest,
    effect,
    reversible,
    hosts,
    taint,
    artifacts,
    arguments: inputs,
    pinned: evidence,
    round,
    approvalId,
    toolCallId: callId,
    problem: null,
    question: null,
    status: 'approval',
  };
}

export function editNotPossibleError(message: string): ApiError {
  return new ApiError('edit_not_possible', message);
}

/** Converts field errors of the arguments to field errors of the request. */
function toFieldErrors(errors: Json | undefined): FieldError[] {
  const fieldErrors = Array.isArray(errors) ? (errors.filter(isJsonObject) as unknown as FieldError[]) : [];
  return fieldErrors.map((fieldError) => ({
    ...fieldError,
    pointer: fieldError.pointer.replace(/^\/arguments/, EDITED_ARGUMENTS_POINTER),
  }));
}
