import { ApiError, isApiError, type JsonObject } from '@countersign/core/plugin';
import type { RunWrite, StoragePort } from '@countersign/core/ports';
import { EngineConflict, type ErrorCode, type Halt, isUuid, type Refusal } from '@countersign/model';
import { readSqlState } from './database-errors.js';
import type { PendingCommand } from './pending-command.js';

export function runNotFound(runId: string): ApiError {
  return new ApiError('run_not_found', `There is no run ${runId}.`);
}

export function approvalNotFound(): ApiError {
  return new ApiError('approval_not_found', 'There is no such approval.');
}

export function questionNotFound(): ApiError {
  return new ApiError('question_not_found', 'There is no such question.');
}

/** Returns the refusal for a key that was revoked between the check of the signature and the commit. */
export function signingKeyRevoked(): Refusal {
  return {
    code: 'signing_key_revoked',
    message: 'The signing key was revoked. Sign with another key.',
  };
}

/** Returns the error that the call activity receives if the maximum number of active child runs is reached. */
export function calledRunsExceeded({ callLimit }: RunWrite): EngineConflict {
  const message =
    `Run ${callLimit?.rootRunId ?? ''} already has ${callLimit?.maxRuns ?? 0} active child runs at all levels, which is the maximum. ` +
    'If workflows call themselves endlessly, cancel that run. Otherwise, recover this step after child runs have ended, or raise Limits:CalledRuns.';
  return new EngineConflict('called_runs_exceeded', message);
}

/**
 * Returns the error for a target that is not a valid id. The database would refuse such an id, and the whole batch
 * with it.
 */
export function findIdError(target: PendingCommand['target']): ApiError | undefined {
  if (target.kind === 'approval') return isUuid(target.approvalId) ? undefined : approvalNotFound();
  if (target.kind === 'question') return isUuid(target.questionId) ? undefined : questionNotFound();
  return isUuid(target.runId) ? undefined : runNotFound(target.runId);
}

/**
 * Returns the error of a refusal. For a resolved approval or a closed question, the error names the person who was
 * faster. Never rejects.
 */
export async function buildRefusalError(
  storage: StoragePort,
  pending: PendingCommand,
  refusal: Refusal,
): Promise<ApiError> {
  const { target } = pending;
  const refusedError = new ApiError(refusal.code, refusal.message, refusal.details);
  if (!ALREADY_CLOSED_CODES.has(refusal.code)) return refusedError;
  try {
    if (target.kind === 'approval')
      return (await findApprovalResolvedError(storage, target.approvalId)) ?? refusedError;
    if (target.kind === 'question') return (await findQuestionClosedError(storage, target.questionId)) ?? refusedError;
  } catch {
    // The command is refused anyway, without naming the person who was faster.
  }
  return refusedError;
}

const ALREADY_CLOSED_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'approval_already_resolved',
  'question_already_answered',
  'run_already_ended',
]);

async function findQuestionClosedError(storage: StoragePort, questionId: string): Promise<ApiError | undefined> {
  const question = await storage.findQuestion(questionId);
  if (question === undefined) return undefined;
  const { status, answeredBy, closedAt } = question;
  const winner = answeredBy?.name ?? answeredBy?.id ?? null;
  const details: JsonObject = {
    status,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: closedAt === null ? null : new Date(closedAt).toISOString(),
  };
  const message = winner === null ? `This question is ${status}.` : `${winner} was faster: this question is ${status}.`;
  return new ApiError('question_already_answered', message, details);
}

async function findApprovalResolvedError(storage: StoragePort, approvalId: string): Promise<ApiError | undefined> {
  const approval = await storage.findApproval(approvalId);
  if (approval === undefined) return undefined;
  const vote = approval.votes.at(-1);
  const winner = approval.resolvedBy?.name ?? approval.resolvedBy?.id ?? null;
  const details: JsonObject = {
    status: approval.status,
    decision: vote?.decision ?? null,
    resolvedBy: approval.resolvedBy?.id ?? null,
    resolvedByName: approval.resolvedBy?.name ?? null,
    resolvedAt: approval.resolvedAt === null ? null : new Date(approval.resolvedAt).toISOString(),
  };
  const message =
    winner === null
      ? `This approval is ${approval.status}.`
      : `${winner} was faster: this approval is ${approval.status}.`;
  return new ApiError('approval_already_resolved', message, details);
}

/** Returns the error for a commit that got no response from the database, and whose outcome could not be determined. */
export function buildOutcomeUnknownError(cause: unknown): ApiError {
  if (isApiError(cause)) return cause;
  const message =
    'The database did not respond, so it is unknown whether the command was executed. Check its effect, or retry it with the same Idempotency-Key, which never executes it twice.';
  return new ApiError('service_unavailable', message, {}, { cause });
}

/** Returns the error for a command whose outcome cannot be computed or stored. */
export function buildNotStorableError(cause: unknown): ApiError {
  if (isApiError(cause)) return cause;
  const message = `The outcome of the command cannot be ${describeCause(cause)}. A retry will fail, too. ${REMEDY}.`;
  return new ApiError('command_not_storable', message, {}, { cause });
}

/** Returns the reason for halting a command, for the incidents of the steps that the command would have advanced. */
export function buildHalt(cause: unknown): Halt {
  const message = `The next state of the run cannot be ${describeCause(cause)}. The result of this step is stored. ${REMEDY}; then recover the run.`;
  return { code: 'command_not_storable' satisfies ErrorCode, message };
}

const REMEDY = 'Fix the data, or fix the BPMN model and migrate the run';

/**
 * Describes what failed, to complete the sentence “… cannot be …”. The message of an unexpected exception belongs only
 * in the log.
 */
function describeCause(cause: unknown): string {
  const state = readSqlState(cause);
  return state !== undefined && cause instanceof Error
    ? `stored (SQLSTATE ${state}: ${cause.message.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH).toWellFormed()})`
    : 'computed (see the server log for the cause)';
}

/** Maximum length of the reason in a message, in UTF-16 code units. */
const MAX_REASON_LENGTH = 500;

export function buildUnavailableError(cause: unknown): ApiError {
  if (isApiError(cause)) return cause;
  const message = 'The command could not be stored. Retry it; a retry with the same Idempotency-Key is safe.';
  return new ApiError('service_unavailable', message, {}, { cause });
}
