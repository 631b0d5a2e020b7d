import { CountersignError } from '../errors/countersign-error.js';
import type { Json } from '../domain/json.js';

/** One fault of what was sent: where, and what is wrong with it. */
export type FieldFault = { pointer: string; code: string; message: string };

export function runNotFound(runId: string): CountersignError {
  return new CountersignError('run_not_found', `There is no run ${runId}.`);
}

export function approvalNotFound(approvalId: string): CountersignError {
  return new CountersignError('approval_not_found', `There is no approval ${approvalId}.`);
}

export function questionNotFound(questionId: string): CountersignError {
  return new CountersignError('question_not_found', `The run has no question ${questionId}.`);
}

/** Bad input: `details.errors` names each fault. */
export function badInput(code: string, message: string, faults: readonly FieldFault[]): CountersignError {
  return new CountersignError(code, message, { errors: faults as unknown as Json });
}
