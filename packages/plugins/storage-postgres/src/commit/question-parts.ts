import { isoTime } from '@countersign/model';
import { createInsertPart, type CommitPart } from './commit-part.js';

/** Questions that agents ask people. */
export const QUESTION_PARTS: readonly CommitPart[] = [
  createInsertPart(
    'questions',
    {
      run_id: 'uuid',
      question_id: 'uuid',
      workflow_id: 'text',
      step_id: 'uuid',
      element_id: 'text',
      agent_name: 'text',
      purpose: 'word',
      call_id: 'uuid',
      text: 'text',
      options: 'jsonb',
      answer_schema: 'jsonb',
      asked_at: 'moment',
      due_at: 'timestamptz',
      on_due: 'jsonb',
      status: 'word',
      answer: 'jsonb',
      answered_by: 'jsonb',
      closed_at: 'moment',
    },
    ({ run, questionsOpened }) =>
      questionsOpened.map((question) => ({
        run_id: run.runId,
        question_id: question.questionId,
        workflow_id: question.workflowId,
        step_id: question.stepId,
        element_id: question.elementId,
        agent_name: question.agentName,
        purpose: question.purpose,
        call_id: question.callId,
        text: question.text,
        options: question.options,
        answer_schema: question.answerSchema,
        asked_at: question.askedAt,
        due_at: question.dueAt === null ? null : isoTime(question.dueAt),
        on_due: question.onDue,
        status: question.status,
        // A question may be closed by the command that opens it.
        answer: question.answer,
        answered_by: question.answeredBy,
        closed_at: question.closedAt,
      })),
  ),
  {
    name: 'changed_questions',
    columns: {
      run_id: 'uuid',
      question_id: 'uuid',
      status: 'word',
      answer: 'jsonb',
      answered_by: 'jsonb',
      closed_at: 'moment',
    },
    sql: `UPDATE questions q SET status = n.status, answer = n.answer, answered_by = n.answered_by, closed_at = n.closed_at
          FROM input n
          WHERE q.question_id = n.question_id AND q.question_id = ANY(ARRAY(SELECT question_id FROM input))`,
    rows: ({ run, questionsChanged }) =>
      questionsChanged.map((change) => ({
        run_id: run.runId,
        question_id: change.questionId,
        status: change.status,
        answer: change.answer,
        answered_by: change.answeredBy,
        closed_at: change.closedAt,
      })),
  },
];
