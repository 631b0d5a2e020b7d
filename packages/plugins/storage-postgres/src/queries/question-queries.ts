import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { Page, PageRequest, QuestionFilter } from '@countersign/core/ports';
import type { QuestionRecord } from '@countersign/model';
import { toQuestion, type QuestionRow } from '../rows/question-row.js';
import { condition, type Condition } from './condition.js';
import { readPage, type PageQuery, type PinnedColumn } from './read-page.js';
import { isStorableId } from './storable.js';

const COLUMNS = Object.freeze([
  'question_id',
  'run_id',
  'workflow_id',
  'step_id',
  'element_id',
  'agent_name',
  'purpose',
  'call_id',
  'text',
  'options',
  'answer_schema',
  'asked_at',
  'due_at',
  'on_due',
  'status',
  'answer',
  'answered_by',
  'closed_at',
]);

export async function findQuestion(knex: Knex, questionId: string): Promise<QuestionRecord | undefined> {
  if (!isStorableId(questionId)) return undefined;
  const row = await knex<QuestionRow>('questions').where('question_id', questionId).first();
  return row && toQuestion(row);
}

export async function listRunQuestions(knex: Knex, runId: string): Promise<QuestionRecord[]> {
  if (!isStorableId(runId)) return [];
  const rows = await knex<QuestionRow>('questions').where('run_id', runId).orderBy('question_id');
  return rows.map(toQuestion);
}

export async function listQuestions(
  knex: Knex,
  filter: QuestionFilter,
  page: PageRequest,
): Promise<Page<QuestionRecord>> {
  if (filter.runId !== undefined && !isStorableId(filter.runId)) return { items: [], nextCursor: null };
  const { rows, nextCursor } = await readPage(knex, buildQuestionQuery(filter), page);
  return { items: (rows as unknown as QuestionRow[]).map(toQuestion), nextCursor };
}

export function buildQuestionQuery(filter: QuestionFilter): PageQuery {
  const { status, runId, workflowId } = filter;
  const pinned: PinnedColumn[] = [];
  const scanned: Condition[] = [];
  if (runId !== undefined) pinned.push({ sql: 'run_id', type: 'uuid', value: runId });
  else if (status !== undefined) pinned.push({ sql: 'status', type: 'text', value: status });
  if (runId !== undefined && status !== undefined) scanned.push(condition('status = ?', status));
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  return {
    table: 'questions',
    list: 'questions',
    filter: filter as JsonObject,
    columns: COLUMNS,
    key: [{ sql: 'question_id', type: 'uuid' }],
    direction: 'desc',
    branches: [{ pinned, scanned }],
  };
}
