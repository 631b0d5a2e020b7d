import type { Knex } from 'knex';
import type { JsonObject } from '@countersign/core/plugin';
import type { Count, FoundRun, Page, PageRequest, RunFilter, RunRecord } from '@countersign/core/ports';
import type { RunStatus } from '@countersign/model';
import { RUN_COLUMNS, runOf, type RunRow } from '../rows/run-row.js';
import { leastUuid } from '../uuid-v7.js';
import { anyCalled, CALLING, SHOWN, showsWaitFor, STATUS_OF_CALLING } from './called-runs.js';
import { condition, contains, NEVER, type Condition } from './condition.js';
import { isStorableId, isStorableInteger } from './storable.js';
import { countRows, readPage, type PageBranch, type PageQuery, type PinnedColumn } from './read-page.js';

/**
 * Maximum difference between the id time and the start time of a run, with a wide margin: both are set within one
 * request. Only a child run can start later, because its call determines its id.
 */
const ID_TIME_TOLERANCE_MS = 600_000;

/** Must match the partial index. */
const CALLED_LATE = `root_run_id IS NOT NULL
  AND started_at > to_timestamp(('x' || translate(left(run_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0::float8 + ${ID_TIME_TOLERANCE_MS / 1_000})`;

/** Smaller than other windows, because each row is read together with its child runs. */
const CALLING_WINDOW = 1_000;

/** Must match the partial indexes. */
const WAITING: Readonly<Record<NonNullable<RunFilter['waitingFor']>, string>> = Object.freeze({
  approval: '(pending_approvals > 0)',
  question: '(pending_questions > 0)',
  event: `(waiting_for @> '[{"kind": "event"}]')`,
  timer: `(waiting_for @> '[{"kind": "timer"}]')`,
});

export async function findRun(knex: Knex, runId: string): Promise<FoundRun | undefined> {
  if (!isStorableId(runId)) return undefined;
  const { rows } = await knex.raw<{ rows: (RunRow & { state: string })[] }>(
    `SELECT ${RUN_COLUMNS.join(', ')}, state::text AS state, ${SHOWN} FROM runs WHERE run_id = ?`,
    [runId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const run = runOf(row);
  return { run, shown: { ...run, ...row.with_called }, state: row.state };
}

/** Returns the runs that exist, newest first. */
export async function findRuns(knex: Knex, runIds: readonly string[]): Promise<RunRecord[]> {
  const { rows } = await knex.raw<{ rows: RunRow[] }>(
    `SELECT ${RUN_COLUMNS.join(', ')}, ${SHOWN} FROM runs WHERE run_id = ANY (?::uuid[]) ORDER BY run_id DESC`,
    [runIds.filter(isStorableId)],
  );
  return rows.map(shownRunOf);
}

function shownRunOf(row: RunRow): RunRecord {
  return { ...runOf(row), ...row.with_called };
}

export async function listRuns(knex: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
  const { rows, nextCursor } = await readPage(knex, runPage(filter), page);
  const found = rows as unknown as RunRow[];
  return { items: found.map(shownRunOf), nextCursor };
}

export async function countRuns(knex: Knex, filter: RunFilter, atMost: number): Promise<Count> {
  return countRows(knex, { ...runPage(filter), columns: ['run_id'], extra: undefined }, atMost);
}

interface Candidate extends Condition {
  /**
   * Properties of a condition that can lead: the column before the run id in an index, and the predicate of that
   * index.
   */
  readonly pinned?: PinnedColumn;
  readonly predicate?: string;
  /** Condition for runs that wait for child runs, if that index leaves them out. */
  readonly ofCalling?: Condition;
}

/**
 * Returns the page query of a filter. The most selective condition with an index in the order of run ids leads; the
 * others are scanned. If child runs matter, runs that wait for them are scanned in addition; if the start time
 * matters, so are child runs that started late.
 */
export function runPage(filter: RunFilter): PageQuery {
  const candidates = conditions(filter);
  const leading = candidates.find(({ pinned }) => pinned !== undefined);
  const scanned = candidates.filter((candidate) => candidate !== leading);
  const { pinned, predicate, ofCalling } = leading ?? {};
  const led: PageBranch = { pinned: pinned === undefined ? [] : [pinned], predicate, scanned };
  const calling =
    ofCalling === undefined
      ? []
      : [{ pinned: [filedUnder(CALLING)], scanned: [...scanned, ofCalling], window: CALLING_WINDOW }];
  const late: PageBranch[] =
    filter.startedAfter === undefined
      ? []
      : [{ pinned: [CALLED], predicate: CALLED_LATE, scanned: candidates, beyond: true }];
  return {
    table: 'runs',
    list: 'runs',
    filter: boundFilter(filter),
    columns: RUN_COLUMNS,
    branches: [led, ...calling, ...late],
    key: [{ sql: 'run_id', type: 'uuid' }],
    direction: 'desc',
    ...idBounds(filter),
    extra: { column: SHOWN, join: '' },
  };
}

const CALLED: PinnedColumn = Object.freeze({ sql: '(root_run_id IS NOT NULL)', type: 'boolean', value: 'true' });

function filedUnder(value: string): PinnedColumn {
  return { sql: 'filed_under', type: 'text', value };
}

/** Returns the conditions of a filter, in the order in which they are preferred to lead. */
function conditions(filter: RunFilter): Candidate[] {
  const {
    status,
    outcome,
    workflowId,
    workflowVersion,
    riskLevel,
    startedBy,
    businessKey,
    startedAfter,
    startedBefore,
    waitingFor,
    stuckSince,
    parentRunId,
    root,
    q,
  } = filter;
  const found: Candidate[] = [];
  const equals = (sql: string, value: string, predicate?: string) =>
    found.push({
      ...condition(`${sql} = ?`, value),
      pinned: { sql, type: 'text', value },
      ...(predicate === undefined ? {} : { predicate }),
    });
  if (parentRunId !== undefined) found.push(calledBy(parentRunId));
  if (businessKey !== undefined) equals('business_key', businessKey, 'business_key IS NOT NULL');
  // The index by status already contains completed runs, and no completed run waits.
  if (outcome === 'completed') equals('filed_under', outcome);
  else if (outcome !== undefined) equals('outcome', outcome, `outcome <> 'completed'`);
  if (waitingFor !== undefined) found.push(...waitsFor(waitingFor));
  if (stuckSince !== undefined) {
    // A call activity is a declared wait, so a run with a child run is never stuck, although the child run may be.
    equals('filed_under', 'active');
    found.push(condition(`waiting_for = '[]' AND updated_at < ?`, new Date(stuckSince)));
  }
  if (startedBy !== undefined) equals('started_by', startedBy);
  if (status !== undefined && status !== 'completed') found.push(hasStatus(status));
  if (workflowId !== undefined) equals('workflow_id', workflowId);
  if (riskLevel === 'high' || riskLevel === 'critical')
    equals('risk_level', riskLevel, `risk_level IN ('high', 'critical')`);
  else if (riskLevel !== undefined) found.push(condition('risk_level = ?', riskLevel));
  if (status === 'completed') equals('filed_under', status);
  if (workflowVersion !== undefined)
    found.push(isStorableInteger(workflowVersion) ? condition('workflow_version = ?', workflowVersion) : NEVER);
  if (startedAfter !== undefined) found.push(condition('started_at > ?', new Date(startedAfter)));
  if (startedBefore !== undefined) found.push(condition('started_at < ?', new Date(startedBefore)));
  if (root !== undefined) found.push(condition(`parent_run_id IS ${root ? '' : 'NOT '}NULL`));
  if (q !== undefined) found.push(contains(q, ['business_key', 'workflow_id', 'run_id::text']));
  return found;
}

function calledBy(runId: string): Candidate {
  if (!isStorableId(runId)) return NEVER;
  return {
    ...condition('parent_run_id = ?', runId),
    pinned: { sql: 'parent_run_id', type: 'uuid', value: runId },
    predicate: 'parent_run_id IS NOT NULL',
  };
}

function hasStatus(status: RunStatus): Candidate {
  return {
    ...condition(`CASE filed_under WHEN '${CALLING}' THEN ${STATUS_OF_CALLING} ELSE filed_under END = ?`, status),
    pinned: filedUnder(status),
    ofCalling: condition(`${STATUS_OF_CALLING} = ?`, status),
  };
}

function waitsFor(kind: NonNullable<RunFilter['waitingFor']>): Candidate[] {
  const own = WAITING[kind];
  const led = { pinned: { sql: own, type: 'boolean', value: 'true' }, predicate: own } as const;
  // A run with a child run itself waits for an event, the end of the child run, unless it shows the waits of the child
  // run.
  if (kind === 'event')
    return [{ ...condition(own), ...led }, condition(`filed_under <> '${CALLING}' OR ${showsWaitFor(kind)}`)];
  const { sql } = anyCalled(own);
  return [
    {
      ...condition(`${own} OR filed_under = '${CALLING}' AND ${sql}`),
      ...led,
      ofCalling: condition(`NOT ${own} AND ${sql}`),
    },
  ];
}

/** Returns the range of run ids to read. A UUIDv7 starts with its time, so times bound ids. */
function idBounds({ startedAfter, startedBefore, stuckSince }: RunFilter): Pick<PageQuery, 'from' | 'until'> {
  // A run without progress since then was started earlier.
  const before = Math.min(startedBefore ?? Infinity, stuckSince ?? Infinity);
  return {
    from: before === Infinity ? undefined : [leastUuid(before + ID_TIME_TOLERANCE_MS)],
    until: startedAfter === undefined ? undefined : [leastUuid(startedAfter - ID_TIME_TOLERANCE_MS)],
  };
}

/** Returns the filter that a cursor is bound to. `stuckSince` advances with the clock, so only its presence counts. */
function boundFilter({ stuckSince, ...filter }: RunFilter): JsonObject {
  const given = Object.entries({ ...filter, stuck: stuckSince === undefined ? undefined : true });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
