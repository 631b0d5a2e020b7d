import { findInputProblem, type Json, type PendingQuestion } from '@countersign/model';
import { findInputErrors } from '../find-input-errors.js';
import { inputError, type FieldError } from '../errors.js';

/** Maximum length of a text answer, in characters. */
const MAX_TEXT_CHARACTERS = 10_000;
/** Maximum JSON length of an answer with a schema, in characters; the language model reads all of it. */
const MAX_JSON_CHARACTERS = 50_000;

/**
 * Checks that an answer is one of the question's options, matches its schema, or is a string. The cost of schema
 * validation is bounded as for run inputs, because a language model wrote the schema.
 *
 * @throws {ApiError} `invalid_answer`
 */
export async function assertValidAnswer(
  question: Pick<PendingQuestion, 'questionId' | 'options' | 'answerSchema'>,
  answer: Json,
): Promise<void> {
  const fieldErrors = await findAnswerErrors(question, answer);
  if (fieldErrors.length > 0)
    throw inputError('invalid_answer', 'The question does not accept this answer.', fieldErrors);
}

async function findAnswerErrors(
  { questionId, options, answerSchema }: Pick<PendingQuestion, 'questionId' | 'options' | 'answerSchema'>,
  answer: Json,
): Promise<FieldError[]> {
  const problem = findInputProblem(answer, '/answer');
  if (problem !== undefined) return [{ ...problem }];
  if (options !== null) {
    return typeof answer === 'string' && options.includes(answer)
      ? []
      : [answerError('not_an_option', 'Must be one of the options of the question.')];
  }
  if (answerSchema === null) return findTextErrors(answer);
  if (JSON.stringify(answer).length > MAX_JSON_CHARACTERS)
    return [answerError('too_big', `Must not be longer than ${MAX_JSON_CHARACTERS} characters of JSON.`)];
  // The schema of a question never changes, so the question id can replace its digest.
  const fieldErrors = await findInputErrors({ digest: `question:${questionId}`, inputSchema: answerSchema }, answer);
  return (fieldErrors ?? []).map((each) => ({ ...each, pointer: each.pointer.replace(/^\/inputs/, '/answer') }));
}

function findTextErrors(answer: Json): FieldError[] {
  if (typeof answer !== 'string') return [answerError('invalid_type', 'Must be a string.')];
  if (answer.trim() === '') return [answerError('too_small', 'Must not be empty.')];
  return answer.length > MAX_TEXT_CHARACTERS
    ? [answerError('too_big', `Must not be longer than ${MAX_TEXT_CHARACTERS} characters.`)]
    : [];
}

function answerError(code: string, message: string): FieldError {
  return { pointer: '/answer', code, message };
}
