import {
  type ApprovalSubject,
  type CommentedLine,
  getValueAtPointer,
  type Json,
  type ApiError,
} from '@countersign/model';
import { inputError, type FieldError } from './errors.js';

/**
 * Refuses a line of a text that the subject does not have: readers would search for it in vain.
 *
 * @throws {ApiError} `validation_failed`
 */
export function requireCommentedText(subject: ApprovalSubject, { pointer, evidence }: CommentedLine): void {
  if (evidence !== undefined && !subject.evidence.some(({ name }) => name === evidence))
    throw unknownReferenceError({
      pointer: '/line/evidence',
      code: 'unknown',
      message: 'The approval has no such evidence.',
    });
  if (pointer !== undefined && getValueAtPointer(subject as unknown as Json, pointer) === undefined)
    throw unknownReferenceError({
      pointer: '/line/pointer',
      code: 'unknown',
      message: 'The subject has no value at this pointer.',
    });
}

/** Creates the error for a comment that refers to something that does not exist. */
export function unknownReferenceError(fieldError: FieldError): ApiError {
  return inputError('validation_failed', 'The comment refers to something that the approval does not have.', [
    fieldError,
  ]);
}
