import type { Client, Question } from '@countersign/contract';
import { refused, type OperationResult } from '../../common/operation-result.js';
import type { MethodInput } from '../../common/methods.js';
import { toOperationResult } from '../api/to-operation-result.js';
import type { DisplayedQuestions } from './displayed-questions.js';

interface AnswersOptions {
  readonly client: Pick<Client, 'answerQuestion'>;
  readonly questions: DisplayedQuestions;
}

/**
 * Answers a question that was opened in the window, and no other. The same key means the same answer, however often it
 * is sent.
 */
export async function answerQuestion(
  { client, questions }: AnswersOptions,
  { questionId, answer, idempotencyKey }: MethodInput<'answerQuestion'>,
): Promise<OperationResult<Question>> {
  await questions.loads.settled(questionId);
  const runId = questions.runOf(questionId);
  if (runId === undefined) return refused('question_not_shown');
  return toOperationResult(client.answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey }));
}
