import type { Json, JsonObject, QuestionRecord, QuestionStatus } from '@countersign/model';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

export type QuestionView = {
  questionId: string;
  runId: string;
  workflowId: string;
  stepId: string;
  elementId: string;
  agentName: string;
  purpose: QuestionRecord['purpose'];
  callId: string | null;
  text: string;
  options: string[] | null;
  answerSchema: JsonObject | null;
  status: QuestionStatus;
  askedAt: string;
  dueAt: string | null;
  onDue: { kind: 'continue' | 'incident'; answer: Json };
  answer: Json;
  answeredBy: string | null;
  answeredByName: string | null;
  closedAt: string | null;
};

/** Builds the view of a question, as shown in inboxes. */
export function toQuestionView(question: QuestionRecord): QuestionView {
  const { answeredBy, onDue } = question;
  return {
    questionId: question.questionId,
    runId: question.runId,
    workflowId: question.workflowId,
    stepId: question.stepId,
    elementId: question.elementId,
    agentName: question.agentName,
    purpose: question.purpose,
    callId: question.callId,
    text: question.text,
    options: question.options === null ? null : [...question.options],
    answerSchema: question.answerSchema,
    status: question.status,
    askedAt: toTimestamp(question.askedAt),
    dueAt: toTimestampOrNull(question.dueAt),
    onDue: { kind: onDue.kind, answer: onDue.kind === 'continue' ? onDue.answer : null },
    answer: question.answer,
    answeredBy: answeredBy?.id ?? null,
    answeredByName: answeredBy?.name ?? null,
    closedAt: toTimestampOrNull(question.closedAt),
  };
}
