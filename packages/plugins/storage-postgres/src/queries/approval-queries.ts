import type { Knex } from 'knex';
import type { ApprovalFilter, ApprovalRecord, JsonObject, Page, PageRequest } from '@countersign/core/plugin';
import { RISK_LEVELS } from '@countersign/core/plugin';
import { ApprovalModel } from '../models/approval-model.js';
import { allOf, condition, contains, type Condition } from './condition.js';
import { readPage, type KeyColumn, type PageQuery } from './read-page.js';

const ID: KeyColumn = { sql: 'approval_id', type: 'uuid' };
/** As the index has it: what is never due comes last. */
const DUE = "COALESCE(due_at, 'infinity'::timestamptz)";

const SORTS: Readonly<Record<NonNullable<ApprovalFilter['sort']>, Pick<PageQuery, 'key' | 'direction'>>> = Object.freeze({
  newest: { key: [ID], direction: 'desc' },
  /** The highest risk first, then the newest. */
  risk: { key: [{ sql: 'risk_rank', type: 'smallint' }, ID], direction: 'desc' },
  /** What is due first, then what was asked first. */
  due: { key: [{ sql: DUE, type: 'timestamptz' }, ID], direction: 'asc' },
});

export async function findApproval(knex: Knex, approvalId: string): Promise<ApprovalRecord | undefined> {
  const row = await ApprovalModel.query(knex).findById(approvalId).withGraphFetched('votes').modifyGraph('votes', inOrder);
  return row?.toRecord();
}

export async function listApprovals(knex: Knex, filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalRecord>> {
  const { rows, nextCursor } = await readPage(knex, approvalPage(filter), page);
  const models = rows.map((row) => ApprovalModel.fromDatabaseJson(row));
  await ApprovalModel.fetchGraph(models, 'votes', { transaction: knex }).modifyGraph('votes', inOrder);
  return { items: models.map((model) => model.toRecord()), nextCursor };
}

function inOrder(builder: { orderBy(columns: string[]): unknown }): void {
  builder.orderBy(['voted_at', 'vote_id']);
}

export function approvalPage(filter: ApprovalFilter): PageQuery {
  const { status, runId, workflowId, riskLevel, dueBefore, q, decidableBy, sort = 'newest' } = filter;
  const indexed: Condition[] = [];
  const scanned: Condition[] = [];
  if (runId !== undefined) indexed.push(condition('run_id = ?::uuid', runId));
  if (status !== undefined) (runId === undefined ? indexed : scanned).push(condition('status = ?', status));
  if (riskLevel !== undefined) {
    const rank = (RISK_LEVELS as readonly string[]).indexOf(riskLevel);
    const byRank = runId === undefined && status !== undefined && sort !== 'due';
    (byRank ? indexed : scanned).push(condition('risk_rank = ?', rank));
  }
  if (dueBefore !== undefined) {
    (sort === 'due' && runId === undefined ? indexed : scanned).push(condition(`${DUE} < ?`, new Date(dueBefore)));
  }
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  if (q !== undefined) scanned.push(contains(q, ['title', 'description', 'workflow_id', 'element_id', 'run_id::text', 'approval_id::text']));
  if (decidableBy !== undefined) scanned.push(decidable(decidableBy));
  return {
    table: 'approvals',
    list: 'approvals',
    filter: boundFilter(filter, sort),
    columns: ['*'],
    ...SORTS[sort],
    indexed,
    scanned,
  };
}

/**
 * As `ineligibleBecause` of the domain has it: a candidate by id, group or delegation (not from somebody who is kept out),
 * or anybody where no candidates are named; and not kept out by the separation of duties.
 */
function decidable({ id, groups }: NonNullable<ApprovalFilter['decidableBy']>): Condition {
  const candidate = [
    condition(`candidate_users = '[]' AND candidate_groups = '[]'`),
    condition('candidate_users @> to_jsonb(?::text)', id),
    condition('candidate_groups \\?| ?::text[]', [...groups]),
    condition(
      `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
               WHERE d ->> 'to' = ? AND COALESCE((d ->> 'until')::float8, 'Infinity') > extract(epoch FROM now()) * 1000
                 AND NOT excluded \\? (d ->> 'from'))`,
      id,
    ),
  ];
  const anyOf = { sql: candidate.map(({ sql }) => `(${sql})`).join(' OR '), values: candidate.flatMap(({ values }) => values) };
  return allOf([anyOf, condition('NOT excluded \\? ?', id)]);
}

function boundFilter({ decidableBy, ...filter }: ApprovalFilter, sort: string): JsonObject {
  const by = decidableBy === undefined ? undefined : { id: decidableBy.id, groups: [...decidableBy.groups].sort() };
  const given = Object.entries({ ...filter, sort, decidableBy: by });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
