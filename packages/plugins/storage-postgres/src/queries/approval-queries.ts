import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type {
  ApprovalCounts,
  ApprovalFilter,
  ApprovalPerson,
  CommentCount,
  ListedApproval,
  Page,
  PageRequest,
  ValueCount,
} from '@countersign/core/ports';
import {
  type Absence,
  type Actor,
  type ApprovalRecord,
  type ApprovalStatus,
  foldCase,
  isSubstitute,
  RISK_LEVELS,
} from '@countersign/model';
import { listCurrentAbsences } from '../absences/absence-queries.js';
import type { Queryable } from '../database/transaction.js';
import { APPROVAL_COLUMNS, LISTED_APPROVAL_COLUMNS, toApproval, type ApprovalRow } from '../rows/approval-row.js';
import { toListedApproval } from '../rows/listed-approval.js';
import type { VoteRow } from '../rows/vote-row.js';
import { countComments } from './comment-queries.js';
import { allOf, condition, containsText, NEVER, not, type Condition } from './condition.js';
import { isStorableId } from './storable.js';
import { readPage, type KeyColumn, type PageQuery, type PinnedColumn } from './read-page.js';

const ID: KeyColumn = { sql: 'approval_id', type: 'uuid' };
/** Must match the index: approvals without a due date come last. */
const DUE_DATE = "COALESCE(due_at, 'infinity'::timestamptz)";
/** Highest risk first, as an ascending key like the due date. */
const URGENCY: KeyColumn = { sql: '((3 - risk_rank)::smallint)', type: 'smallint' };

const SORTS: Readonly<Record<NonNullable<ApprovalFilter['sort']>, Pick<PageQuery, 'key' | 'direction'>>> =
  Object.freeze({
    newest: { key: [ID], direction: 'desc' },
    /** Highest risk first, then the newest. */
    risk: { key: [{ sql: 'risk_rank', type: 'smallint' }, ID], direction: 'desc' },
    /** Earliest due date first, then the oldest request. */
    due: { key: [{ sql: DUE_DATE, type: 'timestamptz' }, ID], direction: 'asc' },
    /** Highest risk first; within a risk level by due date. */
    urgency: { key: [URGENCY, { sql: DUE_DATE, type: 'timestamptz' }, ID], direction: 'asc' },
  });

/** What a search compares; only a few columns if a server of an earlier version wrote the approval. */
const SEARCH_TEXT =
  "COALESCE(search_text, concat_ws(' ', title, description, business_key, workflow_id, element_id, run_id, approval_id))";

/** Maximum number of approvals that are read per run. */
const MAX_APPROVALS_PER_RUN = 10_000;

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
  const [found] = await attachVotes(knex, rows, toApproval);
  return found;
}

interface ReadConnections {
  readonly knex: Knex;
  readonly pool: Queryable;
}

export function listApprovals(
  connections: ReadConnections,
  filter: ApprovalFilter,
  page: PageRequest,
): Promise<Page<ApprovalRecord>> {
  return listRows(connections, filter, page, {}, toApproval);
}

export async function listInbox(
  connections: ReadConnections,
  filter: ApprovalFilter,
  page: PageRequest,
  reader: Pick<Actor, 'type' | 'id'>,
): Promise<Page<ListedApproval>> {
  const columns = { columns: LISTED_APPROVAL_COLUMNS, extra: SUBJECT_WITHOUT_OUTLINE };
  const { items, nextCursor } = await listRows(connections, filter, page, columns, toListedApproval);
  const comments = await countComments(
    connections.knex,
    items.map(({ approvalId }) => approvalId),
    reader,
  );
  return {
    items: items.map((approval) => ({ ...approval, comments: comments.get(approval.approvalId) ?? NO_COMMENTS })),
    nextCursor,
  };
}

const NO_COMMENTS: CommentCount = Object.freeze({ count: 0, lastAt: null, lastByOthersAt: null });

async function listRows<Row extends RowWithVotes, Approval>(
  connections: ReadConnections,
  filter: ApprovalFilter,
  page: PageRequest,
  columns: Partial<Pick<PageQuery, 'columns' | 'extra'>>,
  toRecord: (row: Row, votes: readonly VoteRow[]) => Approval,
): Promise<Page<Approval>> {
  const query = await prepareQuery(connections, filter);
  if (query === undefined) return { items: [], nextCursor: null };
  const { rows, nextCursor } = await readPage(connections.knex, { ...query, ...columns }, page);
  return { items: await attachVotes(connections.knex, rows as unknown as Row[], toRecord), nextCursor };
}

/** Columns of the properties that are counted, and of all keys by which pages are sorted. */
const COUNTED_COLUMNS = Object.freeze([
  'workflow_id',
  'requested_by',
  'candidate_groups',
  'approval_id',
  'risk_rank',
  'due_at',
]);
/** Maximum number of values that are returned per property. */
const MAX_COUNTED_VALUES = 50;

type CountedRow = Pick<ApprovalRow, 'workflow_id' | 'requested_by' | 'candidate_groups'>;

/** Reads the counted columns and counts here: there are few rows, and one statement serves all properties. */
export async function countApprovals(
  connections: ReadConnections,
  filter: ApprovalFilter,
  maxCount: number,
): Promise<ApprovalCounts> {
  const query = await prepareQuery(connections, filter);
  const { rows, nextCursor } =
    query === undefined
      ? { rows: [], nextCursor: null }
      : await readPage(connections.knex, { ...query, columns: COUNTED_COLUMNS }, { limit: maxCount });
  const counted = rows as unknown as readonly CountedRow[];
  return {
    total: { count: counted.length, exact: nextCursor === null },
    workflows: countValues(counted.map((row) => row.workflow_id)),
    requesters: countValues(counted.map((row) => row.requested_by)),
    groups: countValues(counted.flatMap((row) => row.candidate_groups)),
  };
}

function countValues(values: readonly string[]): ValueCount[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_COUNTED_VALUES);
}

/** The subjects of approvals without an outline. */
const SUBJECT_WITHOUT_OUTLINE = Object.freeze({
  column: 'whole.subject',
  join: `LEFT JOIN LATERAL (
    SELECT a.subject FROM approvals a WHERE a.approval_id = approvals.approval_id AND approvals.outline IS NULL
  ) AS whole ON true`,
});

/** Prepares a query. Absences are read first, because there are rarely any: the page then needs only indexes. */
async function prepareQuery({ pool }: ReadConnections, filter: ApprovalFilter): Promise<PageQuery | undefined> {
  const ids = [filter.runId, filter.calledFrom, ...(filter.approvalIds ?? [])];
  if (ids.some((id) => id !== undefined && !isStorableId(id))) return undefined;
  const person = filter.decidableBy ?? filter.undecidableBy;
  const absences =
    person === undefined
      ? []
      : (await listCurrentAbsences(pool, { substitutes: [person.id, ...(person.userNames ?? [])] })).filter((absence) =>
          isSubstitute(person, absence),
        );
  return buildApprovalQuery(filter, absences);
}

type RowWithVotes = Pick<ApprovalRow, 'approval_id' | 'status' | 'quorum'>;

async function attachVotes<Row extends RowWithVotes, Approval>(
  knex: Knex,
  approvals: readonly Row[],
  toRecord: (row: Row, votes: readonly VoteRow[]) => Approval,
): Promise<Approval[]> {
  const votes = new Map(approvals.filter(mayHaveVotes).map((approval) => [approval.approval_id, [] as VoteRow[]]));
  if (votes.size > 0) {
    const { rows } = await knex.raw<{ rows: VoteRow[] }>(
      'SELECT * FROM votes WHERE approval_id = ANY(?::uuid[]) ORDER BY voted_at, vote_id',
      [[...votes.keys()]],
    );
    for (const vote of rows) votes.get(vote.approval_id)?.push(vote);
  }
  return approvals.map((approval) => toRecord(approval, votes.get(approval.approval_id) ?? []));
}

/**
 * Returns whether an approval may have votes. If one vote is enough, a pending approval has none, so an inbox need not
 * read any.
 */
function mayHaveVotes({ status, quorum }: Pick<ApprovalRow, 'status' | 'quorum'>): boolean {
  return status !== 'pending' || quorum > 1;
}

/** @param absences current absences in which the person of the filter is the substitute */
export function buildApprovalQuery(filter: ApprovalFilter, absences: readonly Absence[] = []): PageQuery {
  const {
    runId,
    calledFrom,
    workflowId,
    riskLevel,
    dueBefore,
    requestedBy,
    candidateGroup,
    approvalIds,
    q,
    decidableBy,
    undecidableBy,
    votedBy,
    sort = 'newest',
  } = filter;
  const { key, direction } = SORTS[sort];
  const isPending = decidableBy !== undefined || undecidableBy !== undefined;
  const status = isPending ? 'pending' : filter.status;
  // These are few approvals, so they are all read, in any order.
  const isSmallSet = runId !== undefined || calledFrom !== undefined || approvalIds !== undefined;
  const isPinned = isSmallSet || votedBy !== undefined;
  const isRiskPinned = !isPinned && riskLevel !== undefined && sort !== 'due';
  const until = !isPinned && dueBefore !== undefined && sort === 'due' ? [String(dueBefore / 1000)] : undefined;
  const scanned: Condition[] = [];
  if (isPending && filter.status !== undefined && filter.status !== status) scanned.push(NEVER);
  if (isPinned && status !== undefined) scanned.push(condition('status = ?', status));
  if (riskLevel !== undefined && !isRiskPinned) scanned.push(condition('risk_rank = ?', toRiskRank(riskLevel)));
  if (dueBefore !== undefined && until === undefined) scanned.push(condition(`${DUE_DATE} < ?`, new Date(dueBefore)));
  if (workflowId !== undefined) scanned.push(condition('workflow_id = ?', workflowId));
  if (requestedBy !== undefined) scanned.push(condition('requested_by = ?', requestedBy));
  if (candidateGroup !== undefined) scanned.push(condition('candidate_groups \\? ?', candidateGroup));
  if (q !== undefined) scanned.push(containsText(q, [SEARCH_TEXT]));
  if (decidableBy !== undefined) scanned.push(isDecidableBy(decidableBy, absences));
  if (undecidableBy !== undefined) scanned.push(not(isDecidableBy(undecidableBy, absences)));
  if (votedBy !== undefined && isSmallSet) scanned.push(hasVoted(votedBy));
  const isRunPinned = runId !== undefined && calledFrom === undefined && approvalIds === undefined;
  if (runId !== undefined && !isRunPinned) scanned.push(condition('run_id = ?', runId));
  if (calledFrom !== undefined && approvalIds !== undefined)
    scanned.push(condition('approval_id = ANY(?::uuid[])', [...approvalIds]));
  const alternatives = isSmallSet
    ? [isRunPinned ? [{ sql: 'run_id', type: 'uuid', value: runId } as const] : []]
    : votedBy === undefined
      ? pinColumnsByStatus(status, isRiskPinned ? riskLevel : undefined, sort)
      : [[{ sql: 'voted_by', type: 'text', value: votedBy } as const]];
  return {
    table: 'approvals',
    source: chooseSource(filter),
    list: 'approvals',
    filter: toCursorFilter(filter, sort),
    columns: APPROVAL_COLUMNS,
    branches: alternatives.map((pinned) => ({ pinned, scanned })),
    // Within one risk level, "highest risk first" equals "newest first", and urgency is the due date.
    key: isRiskPinned ? (sort === 'urgency' ? SORTS.due.key : [ID]) : key,
    direction,
    until,
  };
}

/** Returns the source of the rows; `undefined`: the whole table. */
function chooseSource({ calledFrom, approvalIds, runId, votedBy }: ApprovalFilter): Condition | undefined {
  if (calledFrom !== undefined) return callTreeSource(calledFrom);
  if (approvalIds !== undefined) return idsSource(approvalIds);
  return votedBy === undefined || runId !== undefined ? undefined : VOTED_APPROVALS;
}

/**
 * Returns the pinned columns of each branch. The indexes start with the status. Without a status, the entries of all
 * statuses are read and merged.
 */
function pinColumnsByStatus(status: string | undefined, riskLevel: string | undefined, sort: string): PinnedColumn[][] {
  if (status === undefined && riskLevel === undefined && sort === 'newest') return [[]];
  const rank = riskLevel === undefined ? 0 : toRiskRank(riskLevel);
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

function toRiskRank(riskLevel: string): number {
  return (RISK_LEVELS as readonly string[]).indexOf(riskLevel);
}

/**
 * Votes joined with their approvals; a person has at most one vote per approval. The LIMIT makes the planner look up
 * approvals one by one, in the order of the votes, instead of reading and sorting all of them.
 */
const VOTED_APPROVALS: Condition = condition(`(
  SELECT v.voted_by, ${[...APPROVAL_COLUMNS, 'summary', 'outline', 'search_text'].map((column) => (column === 'approval_id' ? 'v.approval_id' : `a.${column}`)).join(', ')}
  FROM votes v CROSS JOIN LATERAL (SELECT * FROM approvals WHERE approvals.approval_id = v.approval_id LIMIT 1) AS a
) AS approvals`);

/**
 * Returns the approvals of a run and of all its descendant runs. The LIMIT makes the planner look them up run by run, as
 * in {@link VOTED_APPROVALS}.
 */
function callTreeSource(runId: string): Condition {
  return condition(
    `(
      WITH RECURSIVE tree AS (
        SELECT ?::uuid AS run_id UNION ALL SELECT r.run_id FROM tree JOIN runs r ON r.parent_run_id = tree.run_id
      )
      SELECT a.* FROM tree CROSS JOIN LATERAL (SELECT * FROM approvals WHERE approvals.run_id = tree.run_id ORDER BY approval_id DESC LIMIT ${MAX_APPROVALS_PER_RUN}) AS a
    ) AS approvals`,
    runId,
  );
}

/** Returns the approvals with the given ids, looked up by their primary key. */
function idsSource(approvalIds: readonly string[]): Condition {
  return condition('(SELECT * FROM approvals WHERE approval_id = ANY(?::uuid[])) AS approvals', [...approvalIds]);
}

/**
 * Returns the condition that a person has voted. It forces a lookup per approval, because the planner must not read all
 * votes of a person for one page.
 */
function hasVoted(id: string): Condition {
  return condition(
    '(SELECT v.voted_by FROM votes v WHERE v.approval_id = approvals.approval_id AND v.voted_by = ? LIMIT 1) IS NOT NULL',
    id,
  );
}

/** Returns the SQL condition that a JSON list of names contains one of the given names, which are in lower case. */
const containsName = (list: string): string =>
  `EXISTS (SELECT FROM jsonb_array_elements_text(${list}) AS n(name) WHERE lower(n.name COLLATE "C") = ANY(?::text[]))`;

/**
 * Returns a condition that mirrors `findIneligibilityReasons` of the domain. The person is a candidate by id, user
 * name, group, delegation or the absence of another candidate (who is not excluded), or the approval names no
 * candidates; is not excluded by separation of duties; and neither they nor another person in their place has voted.
 */
function isDecidableBy({ id, userNames = [], groups }: ApprovalPerson, absences: readonly Absence[]): Condition {
  const names = userNames.map(foldCase);
  const hasNames = names.length > 0;
  const candidateConditions = [
    condition(`candidate_users = '[]' AND candidate_groups = '[]'`),
    condition('candidate_users @> to_jsonb(?::text)', id),
    ...(hasNames ? [condition(containsName('candidate_users'), names)] : []),
    condition('candidate_groups \\?| ?::text[]', [...groups]),
    condition(
      `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
               WHERE (d ->> 'to' = ?${hasNames ? ` OR lower((d ->> 'to') COLLATE "C") = ANY(?::text[])` : ''})
                 AND COALESCE((d ->> 'until')::float8, 'Infinity') > extract(epoch FROM now()) * 1000
                 AND d ->> 'voteId' IS NULL AND d ->> 'from' <> ? AND NOT excluded \\? (d ->> 'from'))`,
      id,
      ...(hasNames ? [names] : []),
      id,
    ),
    ...(absences.length > 0 ? [isSubstituteForAny(absences)] : []),
  ];
  const isCandidate = {
    sql: candidateConditions.map(({ sql }) => `(${sql})`).join(' OR '),
    values: candidateConditions.flatMap(({ values }) => values),
  };
  // If one vote is enough, the first vote has resolved the approval.
  const voted = allOf([condition('quorum > 1'), hasVoted(id)]);
  return allOf([isCandidate, condition('NOT excluded \\? ?', id), not(hasSubstituteVoted(id, names)), not(voted)]);
}

/**
 * Returns the condition that another person has voted in the place of a person.
 *
 * @param names user names of the person, in lower case
 */
function hasSubstituteVoted(id: string, names: readonly string[]): Condition {
  return condition(
    `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
             WHERE (d ->> 'from' = ? OR lower((d ->> 'from') COLLATE "C") = ANY(?::text[])) AND d ->> 'voteId' IS NOT NULL)`,
    id,
    [...names],
  );
}

/** Returns the condition that a person has delegated, and the delegation has not ended. */
function hasDelegated(id: string): Condition {
  return condition(
    `EXISTS (SELECT FROM jsonb_array_elements(delegations) AS d
             WHERE d ->> 'from' = ? AND COALESCE((d ->> 'until')::float8, 'Infinity') > extract(epoch FROM now()) * 1000)`,
    id,
  );
}

/** Returns the condition that the substitute may vote in the place of at least one of the absent people. */
function isSubstituteForAny(absences: readonly Absence[]): Condition {
  const ids = absences.map(({ subject }) => subject);
  const names = absences.flatMap(({ subjectNames = [] }) => subjectNames);
  // First tests for all absent people together, because nearly all approvals name none of them.
  const namesAny = condition(
    `candidate_users \\?| ?::text[]${names.length > 0 ? ` OR ${containsName('candidate_users')}` : ''}`,
    ids,
    ...(names.length > 0 ? [names] : []),
  );
  const conditions = absences.map(isSubstituteFor);
  return allOf([
    namesAny,
    { sql: conditions.map(({ sql }) => `(${sql})`).join(' OR '), values: conditions.flatMap(({ values }) => values) },
  ]);
}

function isSubstituteFor({ subject, subjectNames = [] }: Absence): Condition {
  const isNamed = condition(
    `candidate_users @> to_jsonb(?::text)${subjectNames.length > 0 ? ` OR ${containsName('candidate_users')}` : ''}`,
    subject,
    ...(subjectNames.length > 0 ? [[...subjectNames]] : []),
  );
  return allOf([
    isNamed,
    condition('NOT excluded \\? ?', subject),
    not(hasSubstituteVoted(subject, subjectNames)),
    not(hasDelegated(subject)),
    not(allOf([condition('quorum > 1'), hasVoted(subject)])),
  ]);
}

function toCursorFilter(
  { decidableBy, undecidableBy, approvalIds, ...filter }: ApprovalFilter,
  sort: string,
): JsonObject {
  const normalizePerson = (by: ApprovalPerson | undefined) =>
    by === undefined
      ? undefined
      : { id: by.id, userNames: [...(by.userNames ?? [])].sort(), groups: [...by.groups].sort() };
  const entries = Object.entries({
    ...filter,
    sort,
    approvalIds: approvalIds === undefined ? undefined : [...approvalIds].sort(),
    decidableBy: normalizePerson(decidableBy),
    undecidableBy: normalizePerson(undecidableBy),
  });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
