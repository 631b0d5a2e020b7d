import { ApiError, type ErrorCode, type Json } from '@countersign/model';

/** Error in a request: its location and description. */
export type FieldError = { pointer: string; code: string; message: string };

export function runNotFoundError(runId: string): ApiError {
  return new ApiError('run_not_found', `There is no run ${runId}.`);
}

export function approvalNotFoundError(approvalId: string): ApiError {
  return new ApiError('approval_not_found', `There is no approval ${approvalId}.`);
}

export function questionNotFoundError(questionId: string): ApiError {
  return new ApiError('question_not_found', `There is no question ${questionId}.`);
}

/** Creates an error for bad input; `details.errors` lists the field errors. */
export function inputError(code: ErrorCode, message: string, fieldErrors: readonly FieldError[]): ApiError {
  return new ApiError(code, message, { errors: fieldErrors as unknown as Json });
}
