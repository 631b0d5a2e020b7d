import { type AnswerCommand, type Json, type PendingQuestion, toRecordedActor } from '@countersign/model';
import { applyAnswer } from '../agents/apply-answer.js';
import type { Execution } from '../execution.js';
import { closeQuestion, findQuestion } from './close-question.js';
import { mayBeClosedQuestion } from './may-be-closed-question.js';

/** Handles a person's answer. If an answer and the due date compete, the one that is committed first applies. */
export function* answerQuestion(
  execution: Execution,
  { questionId, answer, actor }: AnswerCommand,
): Generator<void, void> {
  const found = findQuestion(execution, questionId);
  if (found === undefined) {
    if (mayBeClosedQuestion(execution.state, questionId))
      execution.refuse('question_already_answered', 'This question is no longer open.');
    else execution.refuse('question_not_found', 'This run has no question with this id.');
    return;
  }
  const { instance, question } = found;
  const problem = findAnswerProblem(question, answer);
  if (problem !== undefined) {
    execution.refuse('invalid_answer', problem);
    return;
  }
  const { purpose, callId } = question;
  execution.question = closeQuestion(execution, found, 'answered', answer, actor);
  execution.emit(
    'question.answered',
    instance,
    { questionId, purpose, callId },
    { actor: { ...toRecordedActor(actor) }, answer },
  );
  yield* applyAnswer(execution, instance.key, question, answer, true, actor.type === 'user' ? actor.id : undefined);
}

/**
 * Returns why an answer is invalid, or `undefined`. The sender of the command has already validated it against the JSON
 * Schema.
 */
function findAnswerProblem({ options, answerSchema }: PendingQuestion, answer: Json): string | undefined {
  if (options !== null)
    return typeof answer === 'string' && options.includes(answer)
      ? undefined
      : 'The answer must be one of the options.';
  return answerSchema !== null || typeof answer === 'string' ? undefined : 'The answer must be a string.';
}
