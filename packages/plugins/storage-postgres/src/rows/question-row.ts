import type { Json } from '@countersign/core/plugin';
import type { QuestionRecord } from '@countersign/model';

/** Row of `questions`. */
export interface QuestionRow {
  readonly question_id: string;
  readonly run_id: string;
  readonly workflow_id: string;
  readonly step_id: string;
  readonly element_id: string;
  readonly agent_name: string;
  readonly purpose: QuestionRecord['purpose'];
  readonly call_id: string | null;
  readonly text: string;
  readonly options: QuestionRecord['options'];
  readonly answer_schema: QuestionRecord['answerSchema'];
  readonly asked_at: number;
  readonly due_at: number | null;
  readonly on_due: QuestionRecord['onDue'];
  readonly status: QuestionRecord['status'];
  readonly answer: Json;
  readonly answered_by: QuestionRecord['answeredBy'];
  readonly closed_at: number | null;
}

export function toQuestion(row: QuestionRow): QuestionRecord {
  return {
    questionId: row.question_id,
    runId: row.run_id,
    workflowId: row.workflow_id,
    stepId: row.step_id,
    elementId: row.element_id,
    agentName: row.agent_name,
    purpose: row.purpose,
    callId: row.call_id,
    text: row.text,
    options: row.options,
    answerSchema: row.answer_schema,
    askedAt: row.asked_at,
    dueAt: row.due_at,
    onDue: row.on_due,
    status: row.status,
    answer: row.answer,
    answeredBy: row.answered_by,
    closedAt: row.closed_at,
  };
}
