import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { Page, PageRequest, QuestionFilter } from '@countersign/core/ports';
import { QUESTION_STATUSES, type QuestionRecord, type QuestionStatus } from '@countersign/model';
import { toQuestion, type QuestionRow } from '../rows/question-row.js';
import { condition, containsText, type Condition } from './condition.js';
import { readPage, type KeyColumn, type PageQuery, type PinnedColumn } from './read-page.js';
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

const ID: KeyColumn = { sql: 'question_id', type: 'uuid' };
/** Must match the index: questions without a due date come last. */
const DUE_DATE = "COALESCE(due_at, 'infinity'::timestamptz)";

const SORTS: Readonly<Record<NonNullable<QuestionFilter['sort']>, Pick<PageQuery, 'key' | 'direction'>>> =
  Object.freeze({
    newest: { key: [ID], direction: 'desc' },
    due: { key: [{ sql: DUE_DATE, type: 'timestamptz' }, ID], direction: 'asc' },
  });

/** What a search compares. */
const SEARCH_TEXT = "concat_ws(' ', text, agent_name, workflow_id, run_id, question_id)";
/** Looked up per question: with a join, the planner could search the keys of all runs. */
const BUSINESS_KEY = '(SELECT r.business_key FROM runs r WHERE r.run_id = questions.run_id)';

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
  const { status, runId, workflowId, dueBefore, q, sort = 'newest' } = filter;
  const isRunPinned = runId !== undefined;
  const until = !isRunPinned && dueBefore !== undefined && sort === 'due' ? [String(dueBefore / 1000)] : undefined;
  const scanned: Condition[] = [];
  if (isRunPinned && status !== undefined) scanned.push(condition('status = ?', status));
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  if (dueBefore !== undefined && until === undefined) scanned.push(condition(`${DUE_DATE} < ?`, new Date(dueBefore)));
  if (q !== undefined) scanned.push(containsText(q, [SEARCH_TEXT, BUSINESS_KEY]));
  const alternatives: PinnedColumn[][] = isRunPinned
    ? [[{ sql: 'run_id', type: 'uuid', value: runId }]]
    : pinStatus(status, sort);
  return {
    table: 'questions',
    list: 'questions',
    filter: filter as JsonObject,
    columns: COLUMNS,
    branches: alternatives.map((pinned) => ({ pinned, scanned })),
    ...SORTS[sort],
    until,
  };
}

/** Returns the pinned columns of each branch. The index by due date starts with the status, so all of them are merged. */
function pinStatus(status: QuestionStatus | undefined, sort: keyof typeof SORTS): PinnedColumn[][] {
  if (status === undefined && sort === 'newest') return [[]];
  const statuses = status === undefined ? QUESTION_STATUSES : [status];
  return statuses.map((value) => [{ sql: 'status', type: 'text', value }]);
}
