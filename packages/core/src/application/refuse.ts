import { ApiError, type ErrorCode, type Json } from '@countersign/model';

/** Error in a request: its location and description. */
export type FieldError = { pointer: string; code: string; message: string };

export function runNotFound(runId: string): ApiError {
  return new ApiError('run_not_found', `There is no run ${runId}.`);
}

export function approvalNotFound(approvalId: string): ApiError {
  return new ApiError('approval_not_found', `There is no approval ${approvalId}.`);
}

export function questionNotFound(questionId: string): ApiError {
  return new ApiError('question_not_found', `The run has no question ${questionId}.`);
}

/** Creates an error for bad input; `details.errors` lists the field errors. */
export function badInput(code: ErrorCode, message: string, faults: readonly FieldError[]): ApiError {
  return new ApiError(code, message, { errors: faults as unknown as Json });
}
