import type { ElementInstance, PendingQuestion, QuestionChange, QuestionRecord } from '@countersign/model';
import type { Execution } from '../execution.js';

type Closing = Omit<QuestionChange, 'questionId'>;

const OPEN: Closing = { status: 'pending', answer: null, answeredBy: null, closedAt: null };

/** Returns a question as stored outside the run's state. */
export function questionRecord(
  execution: Execution,
  { stepId, elementId, agent }: ElementInstance,
  question: PendingQuestion,
  closing: Closing = OPEN,
): QuestionRecord {
  const { runId, workflowId } = execution.state;
  return { ...question, runId, workflowId, stepId, elementId, agentName: agent?.agent ?? '', ...closing };
}
