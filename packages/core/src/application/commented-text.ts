import {
  type ApiError,
  type ApprovalSubject,
  type CommentedLine,
  getValueAtPointer,
  isChange,
  type Json,
} from '@countersign/model';
import { inputError, type FieldError } from './errors.js';

/**
 * Refuses a line that the subject does not have: readers would search for it in vain. The line belongs to a text, or to
 * one side of a value with `before` and `after`, which clients compare line by line. Evidence is not read for this.
 *
 * @throws {ApiError} `validation_failed`
 */
export function requireCommentedText(subject: ApprovalSubject, line: CommentedLine): void {
  const { pointer, evidence, file, side, number } = line;
  if (evidence !== undefined && !subject.evidence.some(({ name }) => name === evidence))
    throw unknownReferenceError({
      pointer: '/line/evidence',
      code: 'unknown',
      message: 'The approval has no such evidence.',
    });
  if (pointer === undefined) return;
  const value = getValueAtPointer(subject as unknown as Json, pointer);
  if (value === undefined)
    throw unknownReferenceError({
      pointer: '/line/pointer',
      code: 'unknown',
      message: 'The subject has no value at this pointer.',
    });
  if (typeof value !== 'string' && !isChange(value))
    throw unknownReferenceError({
      pointer: '/line/pointer',
      code: 'not_a_text',
      message: 'Must lead to a text, or to an object with "before" and "after".',
    });
  const text = typeof value === 'string' ? value : value[side];
  if (file === undefined && typeof text === 'string' && !HUNK.test(text) && number > countLines(text))
    throw unknownReferenceError({
      pointer: '/line/number',
      code: 'unknown',
      message: `The text ends at line ${countLines(text)}.`,
    });
}

/** Start of a part of a patch, whose lines have the numbers of its file. */
const HUNK = /^@@/m;

function countLines(text: string): number {
  return text.split('\n').length;
}

/** Creates the error for a comment that refers to something that does not exist. */
export function unknownReferenceError(fieldError: FieldError): ApiError {
  return inputError('validation_failed', 'The comment refers to something that the approval does not have.', [
    fieldError,
  ]);
}
