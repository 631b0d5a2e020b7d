import type { Knex } from 'knex';
import type { ApprovalFilter, ApprovalRecord, ApprovalStatus, JsonObject, Page, PageRequest } from '@countersign/core/plugin';
import { RISK_LEVELS } from '@countersign/core/plugin';
import { APPROVAL_COLUMNS, approvalOf, type ApprovalRow } from '../rows/approval-row.js';
import type { VoteRow } from '../rows/vote-row.js';
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
  const { rows } = await knex.raw<{ rows: ApprovalRow[] }>('SELECT * FROM approvals WHERE approval_id = ?', [approvalId]);
  const [found] = await withVotes(knex, rows);
  return found;
}

export async function listApprovals(knex: Knex, filter: ApprovalFilter, page: PageRequest): Promise<Page<ApprovalRecord>> {
  if (filter.runId !== undefined && !isStorableId(filter.runId)) return { items: [], nextCursor: null };
  const { rows, nextCursor } = await readPage(knex, approvalPage(filter), page);
  return { items: await withVotes(knex, rows as unknown as ApprovalRow[]), nextCursor };
}

async function withVotes(knex: Knex, approvals: readonly ApprovalRow[]): Promise<ApprovalRecord[]> {
  const votes = new Map(approvals.filter(mayHaveVotes).map((approval) => [approval.approval_id, [] as VoteRow[]]));
  if (votes.size > 0) {
    const { rows } = await knex.raw<{ rows: VoteRow[] }>('SELECT * FROM votes WHERE approval_id = ANY(?::uuid[]) ORDER BY voted_at, vote_id', [[...votes.keys()]]);
    for (const vote of rows) votes.get(vote.approval_id)?.push(vote);
  }
  return approvals.map((approval) => approvalOf(approval, votes.get(approval.approval_id) ?? []));
}

/** Where one vote is enough, there is none as long as it is waited for: an inbox need not look for any. */
function mayHaveVotes({ status, quorum }: ApprovalRow): boolean {
  return status !== 'pending' || quorum > 1;
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
  const alternatives: PinnedColumn[][] = ofRun ? [[{ sql: 'run_id', type: 'uuid', value: runId }]] : pinnedByStatus(status, withRisk ? riskLevel : undefined, sort);
  return {
    table: 'approvals',
    list: 'approvals',
    filter: boundFilter(filter, sort),
    columns: APPROVAL_COLUMNS,
    branches: alternatives.map((pinned) => ({ pinned, scanned })),
    // Of one risk, "the highest first" is "the newest first".
    key: withRisk ? [ID] : key,
    direction,
    until,
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
