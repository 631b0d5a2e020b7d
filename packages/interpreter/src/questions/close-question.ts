import {
  type Actor,
  type ElementInstance,
  type Json,
  type PendingQuestion,
  type QuestionRecord,
  type QuestionWait,
  toRecordedActor,
} from '@countersign/model';
import type { Execution } from '../execution.js';
import { closeWaits } from '../steps.js';
import { buildQuestionRecord } from './build-question-record.js';

export interface FoundQuestion {
  readonly instance: ElementInstance;
  readonly question: PendingQuestion;
}

/** Returns the pending question with the given id, and its step. */
export function findQuestion(execution: Execution, questionId: string | undefined): FoundQuestion | undefined {
  for (const instance of execution.getInstances()) {
    const question = getPendingQuestions(instance).find((each) => each.questionId === questionId);
    if (question !== undefined) return { instance, question };
  }
  return undefined;
}

export function getPendingQuestions({ waits = [] }: ElementInstance): PendingQuestion[] {
  return waits.filter((wait): wait is QuestionWait => wait.kind === 'question').map(({ question }) => question);
}

/** Closes a question that was answered or has expired. */
export function closeQuestion(
  execution: Execution,
  { instance, question }: FoundQuestion,
  status: 'answered' | 'expired',
  answer: Json,
  by: Actor | null,
): QuestionRecord {
  const { questionId } = question;
  const closing = { status, answer, answeredBy: by === null ? null : toRecordedActor(by), closedAt: execution.now };
  closeWaits(execution, instance, (wait) =>
    wait.kind === 'question'
      ? wait.question.questionId === questionId
      : wait.kind === 'timer' && wait.questionId === questionId,
  );
  execution.request({ type: 'question.change', change: { questionId, ...closing } });
  return buildQuestionRecord(execution, instance, question, closing);
}

/** Withdraws the pending questions of a step that ends. The caller must close their waits. */
export function withdrawQuestions(execution: Execution, instance: ElementInstance, reason: string): void {
  for (const { questionId } of getPendingQuestions(instance)) {
    execution.request({
      type: 'question.change',
      change: { questionId, status: 'withdrawn', answer: null, answeredBy: null, closedAt: execution.now },
    });
    execution.emit('question.withdrawn', instance, { questionId, reason });
  }
}
