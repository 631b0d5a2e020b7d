import type { Knex } from 'knex';
import type { ApprovalFilter, ApprovalRecord, ApprovalStatus, JsonObject, Page, PageRequest } from '@countersign/core/plugin';
import { RISK_LEVELS } from '@countersign/core/plugin';
import { ApprovalModel } from '../models/approval-model.js';
import { allOf, condition, contains, type Condition } from './condition.js';
import { isStorableId } from './storable.js';
import { readPage, type KeyColumn, type PageQuery, type PinnedColumn } from './read-page.js';

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

const STATUSES: readonly ApprovalStatus[] = Object.freeze(['pending', 'approved', 'rejected', 'changes_requested', 'withdrawn', 'expired'] as const);

export async function findApproval(knex: Knex, approvalId: string): Promise<ApprovalRecord | undefined> {
  if (!isStorableId(approvalId)) return undefined;
  const row = await ApprovalModel.query(knex).findById(approvalId).withGraphFetched('votes').modifyGraph('votes', inOrder);
  return row?.toRecord();
}

export async function listApprovals(knex: Knex, filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalRecord>> {
  if (filter.runId !== undefined && !isStorableId(filter.runId)) return { items: [], nextCursor: null };
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
  const { key, direction } = SORTS[sort];
  // A run's approvals are few: they are all looked at, in whatever order.
  const ofRun = runId !== undefined;
  const withRisk = !ofRun && riskLevel !== undefined && sort !== 'due';
  const until = !ofRun && dueBefore !== undefined && sort === 'due' ? [String(dueBefore / 1000)] : undefined;
  const scanned: Condition[] = [];
  if (ofRun && status !== undefined) scanned.push(condition('status = ?', status));
  if (riskLevel !== undefined && !withRisk) scanned.push(condition('risk_rank = ?', rankOf(riskLevel)));
  if (dueBefore !== undefined && until === undefined) scanned.push(condition(`${DUE} < ?`, new Date(dueBefore)));
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  if (q !== undefined) scanned.push(contains(q, ['title', 'description', 'workflow_id', 'element_id', 'run_id::text', 'approval_id::text']));
  if (decidableBy !== undefined) scanned.push(decidable(decidableBy));
  return {
    table: 'approvals',
    list: 'approvals',
    filter: boundFilter(filter, sort),
    columns: ['*'],
    pinned: ofRun ? [[{ sql: 'run_id', type: 'uuid', value: runId }]] : pinnedByStatus(status, withRisk ? riskLevel : undefined, sort),
    // Of one risk, "the highest first" is "the newest first".
    key: withRisk ? [ID] : key,
    direction,
    until,
    scanned,
  };
}

/** The indexes begin with the status. Where it is open, each one is read and they are merged. */
function pinnedByStatus(status: string | undefined, riskLevel: string | undefined, sort: string): PinnedColumn[][] {
  if (status === undefined && riskLevel === undefined && sort === 'newest') return [[]];
  const risk: PinnedColumn[] = riskLevel === undefined ? [] : [{ sql: 'risk_rank', type: 'smallint', value: String(rankOf(riskLevel)) }];
  const statuses = status === undefined ? STATUSES : [status];
  return statuses.map((value) => [{ sql: 'status', type: 'text', value }, ...risk]);
}

function rankOf(riskLevel: string): number {
  return (RISK_LEVELS as readonly string[]).indexOf(riskLevel);
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
                 AND d ->> 'voteId' IS NULL AND NOT excluded \\? (d ->> 'from'))`,
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
