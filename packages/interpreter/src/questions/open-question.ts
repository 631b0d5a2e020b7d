import type { PendingQuestion } from '@countersign/model';
import type { Execution } from '../execution.js';
import { addWait, armTimer } from '../steps.js';
import { buildQuestionRecord } from './build-question-record.js';

/** Opens a question that the step waits for. */
export function openQuestion(
  execution: Execution,
  key: number,
  draft: Omit<PendingQuestion, 'questionId' | 'askedAt'>,
  questionId = execution.nextId(),
): PendingQuestion {
  const question: PendingQuestion = { questionId, ...draft, askedAt: execution.now };
  const { purpose, callId, dueAt, text, options, answerSchema } = question;
  const instance = addWait(execution, key, { kind: 'question', question });
  if (dueAt !== null) armTimer(execution, instance, 'question', dueAt, questionId);
  execution.request({ type: 'question.open', question: buildQuestionRecord(execution, instance, question) });
  execution.emit(
    'question.asked',
    instance,
    { questionId, purpose, callId, dueAt: dueAt === null ? null : new Date(dueAt).toISOString() },
    { text, options: options === null ? null : [...options], answerSchema },
  );
  return question;
}
