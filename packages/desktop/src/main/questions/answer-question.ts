import type { Client, Question } from '@countersign/contract';
import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { DisplayedQuestions } from './displayed-questions.js';

interface AnswerQuestionOptions {
  readonly client: Pick<Client, 'answerQuestion'>;
  readonly displayedQuestions: DisplayedQuestions;
}

/**
 * Answers a question, but only if it was opened in the window. Repeated requests with the same idempotency key count as
 * one answer.
 */
export async function answerQuestion(
  { client, displayedQuestions }: AnswerQuestionOptions,
  { questionId, answer, idempotencyKey }: MethodInput<'answerQuestion'>,
): Promise<OperationResult<Question>> {
  await displayedQuestions.loads.waitFor(questionId);
  const runId = displayedQuestions.getRunId(questionId);
  if (runId === undefined) return createRefusal('question_not_shown');
  return toOperationResult(client.answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey }));
}
