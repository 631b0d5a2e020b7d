import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { ApprovalFilter, ApprovalPerson, Page, PageRequest } from '@countersign/core/ports';
import {
  type Absence,
  type ApprovalRecord,
  type ApprovalStatus,
  foldCase,
  isSubstitute,
  RISK_LEVELS,
} from '@countersign/model';
import { absencesNow } from '../absences/absence-queries.js';
import type { Queryable } from '../database/transaction.js';
import { APPROVAL_COLUMNS, approvalOf, type ApprovalRow } from '../rows/approval-row.js';
import type { VoteRow } from '../rows/vote-row.js';
import { allOf, condition, contains, NEVER, not, type Condition } from './condition.js';
import { isStorableId } from './storable.js';
import { readPage, type KeyColumn, type PageQuery, type PinnedColumn } from './read-page.js';

const ID: KeyColumn = { sql: 'approval_id', type: 'uuid' };
/** As the index has it: what is never due comes last. */
const DUE = "COALESCE(due_at, 'infinity'::timestamptz)";
/** The highest risk first, in an order that ascends as the due times do. */
const URGENCY: KeyColumn = { sql: '((3 - risk_rank)::smallint)', type: 'smallint' };

const SORTS: Readonly<Record<NonNullable<ApprovalFilter['sort']>, Pick<PageQuery, 'key' | 'direction'>>> =
  Object.freeze({
    newest: { key: [ID], direction: 'desc' },
    /** The highest risk first, then the newest. */
    risk: { key: [{ sql: 'risk_rank', type: 'smallint' }, ID], direction: 'desc' },
    /** What is due first, then what was asked first. */
    due: { key: [{ sql: DUE, type: 'timestamptz' }, ID], direction: 'asc' },
    /** The highest risk first; of one risk as by the due time. */
    urgency: { key: [URGENCY, { sql: DUE, type: 'timestamptz' }, ID], direction: 'asc' },
  });

/** Approvals that are looked at of one run. */
const MAX_OF_RUN = 10_000;

const STATUSES: readonly ApprovalStatus[] = Object.freeze([
  'pending',
  'approved',
  'rejected',
  'changes_requested',
  'withdrawn',
  'expired',
] as const);

export async function findApproval(knex: Knex, approvalId: string): Promise<ApprovalRecord | undefined> {
  if (!isStorableId(approvalId)) return undefined;
  const { rows } = await knex.raw<{ rows: ApprovalRow[] }>('SELECT * FROM approvals WHERE approval_id = ?', [
    approvalId,
  ]);
  const [found] = await withVotes(knex, rows);
  return found;
}

/** Who is away is looked up before, as it is nearly always nobody: the page is then read by the indexes alone. */
export async function listApprovals(
  { knex, pool }: { readonly knex: Knex; readonly pool: Queryable },
  filter: ApprovalFilter,
  page: PageRequest,
): Promise<Page<ApprovalRecord>> {
  if ([filter.runId, filter.calledFrom].some((id) => id !== undefined && !isStorableId(id)))
    return { items: [], nextCursor: null };
  const person = filter.decidableBy ?? filter.undecidableBy;
  const away =
    person === undefined
      ? []
      : (await absencesNow(pool, { substitutes: [person.id, ...(person.userNames ?? [])] })).filter((absence) =>
          isSubstitute(person, absence),
        );
  const { rows, nextCursor } = await readPage(knex, approvalPage(filter, away), page);
  return { items: await withVotes(knex, rows as unknown as ApprovalRow[]), nextCursor };
}

async function withVotes(knex: Knex, approvals: readonly ApprovalRow[]): Promise<ApprovalRecord[]> {
  const votes = new Map(approvals.filter(mayHaveVotes).map((approval) => [approval.approval_id, [] as VoteRow[]]));
  if (votes.size > 0) {
    const { rows } = await knex.raw<{ rows: VoteRow[] }>(
      'SELECT * FROM votes WHERE approval_id = ANY(?::uuid[]) ORDER BY voted_at, vote_id',
      [[...votes.keys()]],
    );
    for (const vote of rows) votes.get(vote.approval_id)?.push(vote);
  }
  return approvals.map((approval) => approvalOf(approval, votes.get(approval.approval_id) ?? []));
}

/** Where one vote is enough, there is none as long as it is waited for: an inbox need not look for any. */
function mayHaveVotes({ status, quorum }: ApprovalRow): boolean {
  return status !== 'pending' || quorum > 1;
}

/** @param away those who are away now, and in whose place the person of the filter decides */
export function approvalPage(filter: ApprovalFilter, away: readonly Absence[] = []): PageQuery {
  const {
    runId,
    calledFrom,
    workflowId,
    riskLevel,
    dueBefore,
    q,
    decidableBy,
    undecidableBy,
    votedBy,
    sort = 'newest',
  } = filter;
  const { key, direction } = SORTS[sort];
  const isPending = decidableBy !== undefined || undecidableBy !== undefined;
  const status = isPending ? 'pending' : filter.status;
  // A run's approvals are few: they are all looked at, in whatever order.
  const ofRun = runId !== undefined || calledFrom !== undefined;
  const isPinned = ofRun || votedBy !== undefined;
  const withRisk = !isPinned && riskLevel !== undefined && sort !== 'due';
  const until = !isPinned && dueBefore !== undefined && sort === 'due' ? [String(dueBefore / 1000)] : undefined;
  const scanned: Condition[] = [];
  if (isPending && filter.status !== undefined && filter.status !== status) scanned.push(NEVER);
  if (isPinned && status !== undefined) scanned.push(condition('status = ?', status));
  if (riskLevel !== undefined && !withRisk) scanned.push(condition('risk_rank = ?', rankOf(riskLevel)));
  if (dueBefore !== undefined && until === undefined) scanned.push(condition(`${DUE} < ?`, new Date(dueBefore)));
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  if (q !== undefined)
    scanned.push(
      contains(q, ['title', 'description', 'workflow_id', 'element_id', 'run_id::text', 'approval_id::text']),
    );
  if (decidableBy !== undefined) scanned.push(decidable(decidableBy, away));
  if (undecidableBy !== undefined) scanned.push(not(decidable(undecidableBy, away)));
  if (votedBy !== undefined && ofRun) scanned.push(hasVoted(votedBy));
  if (runId !== undefined && calledFrom !== undefined) scanned.push(condition('run_id = ?', runId));
  const alternatives = ofRun
    ? [calledFrom === undefined && runId !== undefined ? [{ sql: 'run_id', type: 'uuid', value: runId } as const] : []]
    : votedBy === undefined
      ? pinnedByStatus(status, withRisk ? riskLevel : undefined, sort)
      : [[{ sql: 'voted_by', type: 'text', value: votedBy } as const]];
  return {
    table: 'approvals',
    source: calledFrom !== undefined ? ofCallTree(calledFrom) : votedBy === undefined || ofRun ? undefined : VOTED,
    list: 'approvals',
    filter: boundFilter(filter, sort),
    columns: APPROVAL_COLUMNS,
    branches: alternatives.map((pinned) => ({ pinned, scanned })),
    // Of one risk, "the highest first" is "the newest first", and the most urgent is due first.
    key: withRisk ? (sort === 'urgency' ? SORTS.due.key : [ID]) : key,
    direction,
    until,
  };
}

/** The indexes begin with the status. Where it is open, each one is read and they are merged. */
function pinnedByStatus(status: string | undefined, riskLevel: string | undefined, sort: string): PinnedColumn[][] {
  if (status === undefined && riskLevel === undefined && sort === 'newest') return [[]];
  const rank = riskLevel === undefined ? 0 : rankOf(riskLevel);
  const risk: PinnedColumn[] =
    riskLevel === undefined
      ? []
      : [
          sort === 'urgency'
            ? { ...URGENCY, value: String(RISK_LEVELS.length - 1 - rank) }
            : { sql: 'risk_rank', type: 'smallint', value: String(rank) },
        ];
  const statuses = status === undefined ? STATUSES : [status];
  return statuses.map((value) => [{ sql: 'status', type: 'text', value }, ...risk]);
}

function rankOf(riskLevel: string): number {
  return (RISK_LEVELS as readonly string[]).indexOf(riskLevel);
}

/**
 * Votes, each with its approval; one person has at most one in each. The LIMIT has the approvals looked up by themselves, in
 * the order of the votes: the planner would rather read them all, and sort them.
 */
const VOTED = `(
  SELECT v.voted_by, ${APPROVAL_COLUMNS.map((column) => (column === 'approval_id' ? 'v.approval_id' : `a.${column}`)).join(', ')}
  FROM votes v CROSS JOIN LATERAL (SELECT * FROM approvals WHERE approvals.approval_id = v.approval_id LIMIT 1) AS a
) AS approvals`;

/**
 * The approvals of a run and of all that it has called. The LIMIT has them looked up run by run, as in {@link VOTED}.
 *
 * @param runId a UUID, which is why it may stand in the statement
 */
function ofCallTree(runId: string): string {
  if (!isStorableId(runId)) throw new TypeError('a run is named by a UUID');
  return `(
    WITH RECURSIVE tree AS (
      SELECT '${runId}'::uuid AS run_id UNION ALL SELECT r.run_id FROM tree JOIN runs r ON r.parent_run_id = tree.run_id
    )
    SELECT a.* FROM tree CROSS JOIN LATERAL (SELECT * FROM approvals WHERE approvals.run_id = tree.run_id ORDER BY approval_id DESC LIMIT ${MAX_OF_RUN}) AS a
  ) AS approvals`;
}

/** Looked up for the one approval, whatever the planner believes: it must not read all votes of a person for one page. */
function hasVoted(id: string): Condition {
  return condition(
    '(SELECT v.voted_by FROM votes v WHERE v.approval_id = approvals.approval_id AND v.voted_by = ? LIMIT 1) IS NOT NULL',
    id,
  );
}

/** Whether a list of names in JSON has one of these, which are in lower case. */
const hasName = (list: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements_text(${list}) AS n(name) WHERE lower(n.name COLLATE "C") = ANY(?::text[]))`;

/**
 * As `ineligibleBecause` of the domain has it: a candidate by id, user name, group, delegation or the absence of another
 * (not of somebody who is kept out), or anybody where no candidates are named; not kept out by the separation of duties; and
 * whose vote is not spent, by themselves or in their place.
 */
function decidable({ id, userNames = [], groups }: ApprovalPerson, away: readonly Absence[]): Condition {
  const names = userNames.map(foldCase);
  const named = names.length > 0;
  const candidate = [
    condition(`candidate_users = '[]' AND candidate_groups = '[]'`),
    condition('candidate_users @> to_jsonb(?::text)', id),
    ...(named ? [condition(hasName('candidate_users'), names)] : []),
    condition('candidate_groups \\?| ?::text[]', [...groups]),
    condition(
      `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
               WHERE (d ->> 'to' = ?${named ? ` OR lower((d ->> 'to') COLLATE "C") = ANY(?::text[])` : ''})
                 AND COALESCE((d ->> 'until')::float8, 'Infinity') > extract(epoch FROM now()) * 1000
                 AND d ->> 'voteId' IS NULL AND d ->> 'from' <> ? AND NOT excluded \\? (d ->> 'from'))`,
      id,
      ...(named ? [names] : []),
      id,
    ),
    ...(away.length > 0 ? [inPlaceOfAny(away)] : []),
  ];
  const anyOf = {
    sql: candidate.map(({ sql }) => `(${sql})`).join(' OR '),
    values: candidate.flatMap(({ values }) => values),
  };
  // Where one vote is enough, the first one has ended it.
  const voted = allOf([condition('quorum > 1'), hasVoted(id)]);
  return allOf([anyOf, condition('NOT excluded \\? ?', id), not(placeSpent(id, names)), not(voted)]);
}

/** Whether somebody has voted in the place of a person. @param names of the person, in lower case */
function placeSpent(id: string, names: readonly string[]): Condition {
  return condition(
    `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
             WHERE (d ->> 'from' = ? OR lower((d ->> 'from') COLLATE "C") = ANY(?::text[])) AND d ->> 'voteId' IS NOT NULL)`,
    id,
    [...names],
  );
}

/** Whether a delegation of a person has not come to its end. */
function hasDelegated(id: string): Condition {
  return condition(
    `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
             WHERE d ->> 'from' = ? AND COALESCE((d ->> 'until')::float8, 'Infinity') > extract(epoch FROM now()) * 1000)`,
    id,
  );
}

/** Whether one of those who are away is asked by name, and their place is free. */
function inPlaceOfAny(away: readonly Absence[]): Condition {
  const ids = away.map(({ subject }) => subject);
  const names = away.flatMap(({ subjectNames = [] }) => subjectNames);
  // First by all of them at once: nearly all approvals ask none of them.
  const anyAsked = condition(
    `candidate_users \\?| ?::text[]${names.length > 0 ? ` OR ${hasName('candidate_users')}` : ''}`,
    ids,
    ...(names.length > 0 ? [names] : []),
  );
  const each = away.map(inPlaceOf);
  return allOf([
    anyAsked,
    { sql: each.map(({ sql }) => `(${sql})`).join(' OR '), values: each.flatMap(({ values }) => values) },
  ]);
}

function inPlaceOf({ subject, subjectNames = [] }: Absence): Condition {
  const asked = condition(
    `candidate_users @> to_jsonb(?::text)${subjectNames.length > 0 ? ` OR ${hasName('candidate_users')}` : ''}`,
    subject,
    ...(subjectNames.length > 0 ? [[...subjectNames]] : []),
  );
  return allOf([
    asked,
    condition('NOT excluded \\? ?', subject),
    not(placeSpent(subject, subjectNames)),
    not(hasDelegated(subject)),
    not(allOf([condition('quorum > 1'), hasVoted(subject)])),
  ]);
}

function boundFilter({ decidableBy, undecidableBy, ...filter }: ApprovalFilter, sort: string): JsonObject {
  const person = (by: ApprovalPerson | undefined) =>
    by === undefined
      ? undefined
      : { id: by.id, userNames: [...(by.userNames ?? [])].sort(), groups: [...by.groups].sort() };
  const given = Object.entries({
    ...filter,
    sort,
    decidableBy: person(decidableBy),
    undecidableBy: person(undecidableBy),
  });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
