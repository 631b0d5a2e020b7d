import { findInputProblem, type Json, type PendingQuestion } from '@countersign/model';
import { findInputErrors } from '../check-inputs.js';
import { badInput, type FieldError } from '../refuse.js';

/** Maximum length of a text answer, in characters. */
const MAX_TEXT = 10_000;
/** Maximum JSON length of an answer with a schema, in characters; the language model reads all of it. */
const MAX_JSON = 50_000;

/**
 * Checks that an answer is one of the question's options, fits its schema, or is a text. The cost of schema validation
 * is bounded as for run inputs, because a language model wrote the schema.
 *
 * @throws {ApiError} `invalid_answer`
 */
export async function checkAnswer(
  question: Pick<PendingQuestion, 'questionId' | 'options' | 'answerSchema'>,
  answer: Json,
): Promise<void> {
  const faults = await findFaults(question, answer);
  if (faults.length > 0) throw badInput('invalid_answer', 'The question does not accept this answer.', faults);
}

async function findFaults(
  { questionId, options, answerSchema }: Pick<PendingQuestion, 'questionId' | 'options' | 'answerSchema'>,
  answer: Json,
): Promise<FieldError[]> {
  const problem = findInputProblem(answer, '/answer');
  if (problem !== undefined) return [{ ...problem }];
  if (options !== null) {
    return typeof answer === 'string' && options.includes(answer)
      ? []
      : [fault('not_an_option', 'Must be one of the options of the question.')];
  }
  if (answerSchema === null) return faultsOfText(answer);
  if (JSON.stringify(answer).length > MAX_JSON)
    return [fault('too_big', `Must not be longer than ${MAX_JSON} characters of JSON.`)];
  // The schema of a question never changes, so the question id can replace its digest.
  const faults = await findInputErrors({ digest: `question:${questionId}`, inputSchema: answerSchema }, answer);
  return (faults ?? []).map((each) => ({ ...each, pointer: each.pointer.replace(/^\/inputs/, '/answer') }));
}

function faultsOfText(answer: Json): FieldError[] {
  if (typeof answer !== 'string') return [fault('invalid_type', 'Must be a text.')];
  if (answer.trim() === '') return [fault('too_small', 'Must not be empty.')];
  return answer.length > MAX_TEXT ? [fault('too_big', `Must not be longer than ${MAX_TEXT} characters.`)] : [];
}

function fault(code: string, message: string): FieldError {
  return { pointer: '/answer', code, message };
}
