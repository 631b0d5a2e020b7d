import type { ElementInstance, PendingQuestion, QuestionChange, QuestionRecord } from '@countersign/model';
import type { Execution } from '../execution.js';

type QuestionClosing = Omit<QuestionChange, 'questionId'>;

const STILL_PENDING: QuestionClosing = { status: 'pending', answer: null, answeredBy: null, closedAt: null };

/** Returns a question as stored outside the run's state. */
export function buildQuestionRecord(
  execution: Execution,
  { stepId, elementId, agent }: ElementInstance,
  question: PendingQuestion,
  closing: QuestionClosing = STILL_PENDING,
): QuestionRecord {
  const { runId, workflowId } = execution.state;
  return { ...question, runId, workflowId, stepId, elementId, agentName: agent?.agent ?? '', ...closing };
}
