import type { TimerWait } from '@countersign/model';
import { applyAnswer } from '../agents/apply-answer.js';
import type { Execution } from '../execution.js';
import { raiseIncident, StepFailure } from '../incidents.js';
import { closeQuestion, findQuestion } from './close-question.js';

/** Handles the expiry of a question: continues with its default answer or raises an incident. */
export function* expireQuestion(execution: Execution, { questionId }: TimerWait): Generator<void, void> {
  const found = findQuestion(execution, questionId);
  if (found === undefined) throw new Error('The question of the timer is not pending.');
  const { instance, question } = found;
  const { onDue, purpose, callId } = question;
  const answer = onDue.kind === 'continue' ? onDue.answer : null;
  execution.question = closeQuestion(execution, found, 'expired', answer, null);
  execution.emit('question.expired', instance, { questionId: question.questionId, purpose, callId });
  if (onDue.kind === 'continue') {
    yield* applyAnswer(execution, instance.key, question, onDue.answer, false);
    return;
  }
  const failure = new StepFailure('question_expired', 'No user answered in time. Recover the run to ask again.');
  raiseIncident(execution, execution.get(instance.key), failure, 'job');
}
