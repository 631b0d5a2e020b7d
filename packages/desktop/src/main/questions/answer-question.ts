import type { Client, Question } from '@countersign/contract';
import { refused, type Answer } from '../../common/answers.js';
import type { MethodInput } from '../../common/methods.js';
import { answerOf } from '../api/answer-of.js';
import type { ShownQuestions } from './shown-questions.js';

interface AnswersOptions {
  readonly client: Pick<Client, 'answerQuestion'>;
  readonly questions: ShownQuestions;
}

/** Answers a question that was opened in the window, and no other one. The same key is the same answer, however often it is sent. */
export async function answerQuestion(
  { client, questions }: AnswersOptions,
  { questionId, answer, idempotencyKey }: MethodInput<'answerQuestion'>,
): Promise<Answer<Question>> {
  await questions.loads.settled(questionId);
  const runId = questions.runOf(questionId);
  if (runId === undefined) return refused('question_not_shown');
  return answerOf(client.answerQuestion({ runId, questionId, body: { answer } }, { idempotencyKey }));
}
