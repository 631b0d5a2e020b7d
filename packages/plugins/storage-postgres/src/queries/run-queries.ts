import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { Count, FoundRun, Page, PageRequest, RunFilter, RunRecord } from '@countersign/core/ports';
import type { RunStatus } from '@countersign/model';
import { RUN_COLUMNS, toRun, type RunRow } from '../rows/run-row.js';
import { minUuid } from '../uuid-v7.js';
import { hasMatchingChildRun, CALLING, WITH_CHILD_RUNS, hasWaitOfKind, CALLING_RUN_STATUS } from './child-runs.js';
import { condition, containsText, NEVER, type Condition } from './condition.js';
import { isStorableId, isStorableInteger } from './storable.js';
import { countRows, readPage, type PageBranch, type PageQuery, type PinnedColumn } from './read-page.js';

/**
 * Maximum difference between the id time and the start time of a run, with a wide margin: both are set within one
 * request. Only a child run can start later, because its call determines its id.
 */
const ID_TIME_TOLERANCE_MS = 600_000;

/** Must match the partial index. */
const IS_LATE_CHILD_RUN = `root_run_id IS NOT NULL
  AND started_at > to_timestamp(('x' || translate(left(run_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0::float8 + ${ID_TIME_TOLERANCE_MS / 1_000})`;

/**
 * Scan window for runs that wait for child runs. It is smaller than other windows, because each row is read together
 * with its child runs.
 */
const CALLING_WINDOW = 1_000;

/** Must match the partial indexes. */
const WAIT_PREDICATES: Readonly<Record<NonNullable<RunFilter['waitingFor']>, string>> = Object.freeze({
  approval: '(pending_approvals > 0)',
  question: '(pending_questions > 0)',
  event: `(waiting_for @> '[{"kind": "event"}]')`,
  timer: `(waiting_for @> '[{"kind": "timer"}]')`,
});

/** Must match the partial index. A step of the run itself has failed, not of a child run, and the run has not ended. */
const HAS_FAILED_STEP = `(filed_under = 'failed' AND outcome IS NULL)`;

const IS_STUCK = `waiting_for = '[]' AND updated_at < ?`;

export async function findRun(knex: Knex, runId: string): Promise<FoundRun | undefined> {
  if (!isStorableId(runId)) return undefined;
  const { rows } = await knex.raw<{ rows: (RunRow & { state: string })[] }>(
    `SELECT ${RUN_COLUMNS.join(', ')}, state::text AS state, ${WITH_CHILD_RUNS} FROM runs WHERE run_id = ?`,
    [runId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const run = toRun(row);
  return { run, displayedRun: { ...run, ...row.with_called }, state: row.state };
}

/** Returns the runs with these ids, newest first. Unknown ids are omitted. */
export async function findRuns(knex: Knex, runIds: readonly string[]): Promise<RunRecord[]> {
  const { rows } = await knex.raw<{ rows: RunRow[] }>(
    `SELECT ${RUN_COLUMNS.join(', ')}, ${WITH_CHILD_RUNS} FROM runs WHERE run_id = ANY (?::uuid[]) ORDER BY run_id DESC`,
    [runIds.filter(isStorableId)],
  );
  return rows.map(toRunWithChildRuns);
}

function toRunWithChildRuns(row: RunRow): RunRecord {
  return { ...toRun(row), ...row.with_called };
}

export async function listRuns(knex: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
  const { rows, nextCursor } = await readPage(knex, buildRunQuery(filter), page);
  const found = rows as unknown as RunRow[];
  return { items: found.map(toRunWithChildRuns), nextCursor };
}

export async function countRuns(knex: Knex, filter: RunFilter, maxCount: number): Promise<Count> {
  return countRows(knex, { ...buildRunQuery(filter), columns: ['run_id'], extra: undefined }, maxCount);
}

interface FilterCondition extends Condition {
  /**
   * Properties of a condition that can lead: the column before the run id in an index, and the predicate of that
   * index.
   */
  readonly pinned?: PinnedColumn;
  readonly predicate?: string;
  /** Other runs that meet the condition and that this index leaves out. */
  readonly otherBranches?: readonly PageBranch[];
}

/**
 * Returns the page query for a filter. The most selective condition with an index in the order of run ids leads; the
 * others are scanned. If its index leaves out matching runs, such as runs that wait for child runs, these are scanned in
 * addition; if the start time matters, so are child runs that started late.
 */
export function buildRunQuery(filter: RunFilter): PageQuery {
  const filterConditions = buildConditions(filter);
  const leading = filterConditions.find(({ pinned }) => pinned !== undefined);
  const scanned = filterConditions.filter((candidate) => candidate !== leading);
  const { pinned, predicate, otherBranches = [] } = leading ?? {};
  const leadingBranch: PageBranch = { pinned: pinned === undefined ? [] : [pinned], predicate, scanned };
  const lateChildRunBranches: PageBranch[] =
    filter.startedAfter === undefined
      ? []
      : [{ pinned: [IS_CHILD_RUN], predicate: IS_LATE_CHILD_RUN, scanned: filterConditions, isBeyondUntil: true }];
  return {
    table: 'runs',
    list: 'runs',
    filter: toCursorFilter(filter),
    columns: RUN_COLUMNS,
    branches: [
      leadingBranch,
      ...otherBranches.map((branch) => ({ ...branch, scanned: [...scanned, ...branch.scanned] })),
      ...lateChildRunBranches,
    ],
    key: [{ sql: 'run_id', type: 'uuid' }],
    direction: 'desc',
    ...toIdBounds(filter),
    extra: { column: WITH_CHILD_RUNS, join: '' },
  };
}

const IS_CHILD_RUN: PinnedColumn = Object.freeze({ sql: '(root_run_id IS NOT NULL)', type: 'boolean', value: 'true' });

function pinFiledUnder(value: string): PinnedColumn {
  return { sql: 'filed_under', type: 'text', value };
}

function buildCallingBranch(callingCondition: Condition): PageBranch {
  return { pinned: [pinFiledUnder(CALLING)], scanned: [callingCondition], window: CALLING_WINDOW };
}

/** Returns the conditions of a filter, in the order in which they are preferred to lead. */
function buildConditions(filter: RunFilter): FilterCondition[] {
  const {
    status,
    outcome,
    workflowId,
    workflowVersion,
    engine,
    riskLevel,
    startedBy,
    businessKey,
    startedAfter,
    startedBefore,
    waitingFor,
    stuckSince,
    needsAttention,
    parentRunId,
    root,
    q,
  } = filter;
  const conditions: FilterCondition[] = [];
  const addEquals = (sql: string, value: string, predicate?: string) =>
    conditions.push({
      ...condition(`${sql} = ?`, value),
      pinned: { sql, type: 'text', value },
      ...(predicate === undefined ? {} : { predicate }),
    });
  if (parentRunId !== undefined) conditions.push(buildParentCondition(parentRunId));
  if (businessKey !== undefined) addEquals('business_key', businessKey, 'business_key IS NOT NULL');
  if (needsAttention !== undefined) conditions.push(buildAttentionCondition(needsAttention.stuckSince));
  // The index by status already contains completed runs, and no completed run waits.
  if (outcome === 'completed') addEquals('filed_under', outcome);
  else if (outcome !== undefined) addEquals('outcome', outcome, `outcome <> 'completed'`);
  if (waitingFor !== undefined) conditions.push(...buildWaitConditions(waitingFor));
  if (stuckSince !== undefined) {
    // A call activity is a declared wait, so a run with a child run is never stuck, although the child run may be.
    addEquals('filed_under', 'active');
    conditions.push(condition(IS_STUCK, new Date(stuckSince)));
  }
  if (startedBy !== undefined) addEquals('started_by', startedBy);
  if (status !== undefined && status !== 'completed') conditions.push(buildStatusCondition(status));
  if (workflowId !== undefined) addEquals('workflow_id', workflowId);
  if (riskLevel === 'high' || riskLevel === 'critical')
    addEquals('risk_level', riskLevel, `risk_level IN ('high', 'critical')`);
  else if (riskLevel !== undefined) conditions.push(condition('risk_level = ?', riskLevel));
  if (status === 'completed') addEquals('filed_under', status);
  if (workflowVersion !== undefined)
    conditions.push(isStorableInteger(workflowVersion) ? condition('workflow_version = ?', workflowVersion) : NEVER);
  if (engine !== undefined) conditions.push(condition('engine = ?', engine));
  if (startedAfter !== undefined) conditions.push(condition('started_at > ?', new Date(startedAfter)));
  if (startedBefore !== undefined) conditions.push(condition('started_at < ?', new Date(startedBefore)));
  if (root !== undefined) conditions.push(condition(`parent_run_id IS ${root ? '' : 'NOT '}NULL`));
  if (q !== undefined) conditions.push(containsText(q, ['business_key', 'workflow_id', 'run_id::text']));
  return conditions;
}

function buildParentCondition(runId: string): FilterCondition {
  if (!isStorableId(runId)) return NEVER;
  return {
    ...condition('parent_run_id = ?', runId),
    pinned: { sql: 'parent_run_id', type: 'uuid', value: runId },
    predicate: 'parent_run_id IS NOT NULL',
  };
}

function buildStatusCondition(status: RunStatus): FilterCondition {
  return {
    ...condition(`CASE filed_under WHEN '${CALLING}' THEN ${CALLING_RUN_STATUS} ELSE filed_under END = ?`, status),
    pinned: pinFiledUnder(status),
    otherBranches: [buildCallingBranch(condition(`${CALLING_RUN_STATUS} = ?`, status))],
  };
}

/** A run that waits for a child run has no outcome yet and is never stuck, so only its displayed status counts. */
function buildAttentionCondition(stuckSince: number): FilterCondition {
  const hasFailedThroughChildRun = `${CALLING_RUN_STATUS} = 'failed'`;
  const isStuck = condition(IS_STUCK, new Date(stuckSince));
  return {
    ...condition(
      `CASE filed_under WHEN '${CALLING}' THEN ${hasFailedThroughChildRun} WHEN 'active' THEN ${isStuck.sql} ELSE ${HAS_FAILED_STEP} END`,
      ...isStuck.values,
    ),
    pinned: { sql: HAS_FAILED_STEP, type: 'boolean', value: 'true' },
    predicate: HAS_FAILED_STEP,
    otherBranches: [
      { pinned: [pinFiledUnder('active')], scanned: [isStuck] },
      buildCallingBranch(condition(hasFailedThroughChildRun)),
    ],
  };
}

function buildWaitConditions(kind: NonNullable<RunFilter['waitingFor']>): FilterCondition[] {
  const ownWait = WAIT_PREDICATES[kind];
  const pinning = { pinned: { sql: ownWait, type: 'boolean', value: 'true' }, predicate: ownWait } as const;
  // A run that waits for a child run waits for an event (the end of the child run), unless the waits of the child run
  // are shown instead.
  if (kind === 'event')
    return [{ ...condition(ownWait), ...pinning }, condition(`filed_under <> '${CALLING}' OR ${hasWaitOfKind(kind)}`)];
  const { sql } = hasMatchingChildRun(ownWait);
  return [
    {
      ...condition(`${ownWait} OR filed_under = '${CALLING}' AND ${sql}`),
      ...pinning,
      otherBranches: [buildCallingBranch(condition(`NOT ${ownWait} AND ${sql}`))],
    },
  ];
}

/** Returns the range of run ids to read. A UUIDv7 starts with its time, so times bound ids. */
function toIdBounds({ startedAfter, startedBefore, stuckSince }: RunFilter): Pick<PageQuery, 'from' | 'until'> {
  // A run without progress since then was started earlier.
  const before = Math.min(startedBefore ?? Infinity, stuckSince ?? Infinity);
  return {
    from: before === Infinity ? undefined : [minUuid(before + ID_TIME_TOLERANCE_MS)],
    until: startedAfter === undefined ? undefined : [minUuid(startedAfter - ID_TIME_TOLERANCE_MS)],
  };
}

/** Returns the filter that a cursor is bound to. `stuckSince` advances with the clock, so only its presence counts. */
function toCursorFilter({ stuckSince, needsAttention, ...filter }: RunFilter): JsonObject {
  const entries = Object.entries({
    ...filter,
    stuck: stuckSince === undefined ? undefined : true,
    needsAttention: needsAttention === undefined ? undefined : true,
  });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
