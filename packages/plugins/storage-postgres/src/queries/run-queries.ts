import type { Knex } from 'knex';
import type { JsonObject, Page, PageRequest, RunFilter, RunRecord } from '@countersign/core/plugin';
import { RUN_COLUMNS, runOf, type RunRow } from '../rows/run-row.js';
import { leastUuid } from '../uuid-v7.js';
import { condition, contains, NEVER, type Condition } from './condition.js';
import { isStorableId, isStorableInteger } from './storable.js';
import { readPage, type PageQuery, type PinnedColumn } from './read-page.js';

/** A run gets its id and its start time within one request; this is far more than they can lie apart. */
const ID_TIME_TOLERANCE_MS = 600_000;

/** As the partial indexes have them. */
const WAITING: Readonly<Record<NonNullable<RunFilter['waitingFor']>, string>> = Object.freeze({
  approval: '(pending_approvals > 0)',
  question: '(pending_questions > 0)',
  event: `(waiting_for @> '[{"kind": "event"}]')`,
  timer: `(waiting_for @> '[{"kind": "timer"}]')`,
});

export async function findRun(knex: Knex, runId: string): Promise<{ run: RunRecord; state: string } | undefined> {
  if (!isStorableId(runId)) return undefined;
  const { rows } = await knex.raw<{ rows: (RunRow & { state: string })[] }>(`SELECT ${RUN_COLUMNS.join(', ')}, state::text AS state FROM runs WHERE run_id = ?`, [runId]);
  const [row] = rows;
  return row === undefined ? undefined : { run: runOf(row), state: row.state };
}

export async function findRuns(knex: Knex, runIds: readonly string[]): Promise<RunRecord[]> {
  const ids = runIds.filter(isStorableId);
  if (ids.length === 0) return [];
  const { rows } = await knex.raw<{ rows: RunRow[] }>(`SELECT ${RUN_COLUMNS.join(', ')} FROM runs WHERE run_id = ANY(?::uuid[])`, [ids]);
  return rows.map(runOf);
}

export async function listRuns(knex: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
  const { rows, nextCursor } = await readPage(knex, runPage(filter), page);
  return { items: rows.map((row) => runOf(row as unknown as RunRow)), nextCursor };
}

interface Candidate extends Condition {
  /** How it can lead: the column in front of the run id in an index, and what that index asks for. */
  readonly pinned?: PinnedColumn;
  readonly predicate?: string;
}

/** One condition leads, the most selective one that has an index in the order of the run ids; the rest is scanned. */
export function runPage(filter: RunFilter): PageQuery {
  const candidates = conditions(filter);
  const leading = candidates.find(({ pinned }) => pinned !== undefined);
  const scanned = candidates.filter((candidate) => candidate !== leading);
  return {
    table: 'runs',
    list: 'runs',
    filter: boundFilter(filter),
    columns: RUN_COLUMNS,
    pinned: [leading?.pinned === undefined ? [] : [leading.pinned]],
    predicate: leading?.predicate,
    key: [{ sql: 'run_id', type: 'uuid' }],
    direction: 'desc',
    ...idBounds(filter),
    scanned,
  };
}

/** In the order in which they are preferred to lead. */
function conditions(filter: RunFilter): Candidate[] {
  const { status, outcome, workflowId, workflowVersion, riskLevel, startedBy, businessKey, startedAfter, startedBefore, waitingFor, stuckSince, q } = filter;
  const found: Candidate[] = [];
  const equals = (sql: string, value: string, predicate?: string) =>
    found.push({ ...condition(`${sql} = ?`, value), pinned: { sql, type: 'text', value }, ...(predicate === undefined ? {} : { predicate }) });
  if (businessKey !== undefined) equals('business_key', businessKey, 'business_key IS NOT NULL');
  // Both say the same, and completed runs are in the index by status already.
  if (outcome === 'completed') equals('status', 'completed');
  else if (outcome !== undefined) equals('outcome', outcome, `outcome <> 'completed'`);
  if (waitingFor !== undefined) {
    const sql = WAITING[waitingFor];
    found.push({ ...condition(sql), pinned: { sql, type: 'boolean', value: 'true' }, predicate: sql });
  }
  if (stuckSince !== undefined) {
    equals('status', 'active');
    found.push(condition(`waiting_for = '[]' AND updated_at < ?`, new Date(stuckSince)));
  }
  if (startedBy !== undefined) equals('started_by', startedBy);
  if (status !== undefined && status !== 'completed') equals('status', status);
  if (workflowId !== undefined) equals('workflow_id', workflowId);
  if (riskLevel === 'high' || riskLevel === 'critical') equals('risk_level', riskLevel, `risk_level IN ('high', 'critical')`);
  else if (riskLevel !== undefined) found.push(condition('risk_level = ?', riskLevel));
  if (status === 'completed') equals('status', status);
  if (workflowVersion !== undefined) found.push(isStorableInteger(workflowVersion) ? condition('workflow_version = ?', workflowVersion) : NEVER);
  if (startedAfter !== undefined) found.push(condition('started_at > ?', new Date(startedAfter)));
  if (startedBefore !== undefined) found.push(condition('started_at < ?', new Date(startedBefore)));
  if (q !== undefined) found.push(contains(q, ['business_key', 'workflow_id', 'run_id::text']));
  return found;
}

/** A UUIDv7 begins with its time, so that times bound the range of ids that has to be read. */
function idBounds({ startedAfter, startedBefore, stuckSince }: RunFilter): Pick<PageQuery, 'from' | 'until'> {
  // What has not moved since then was started before.
  const before = Math.min(startedBefore ?? Infinity, stuckSince ?? Infinity);
  return {
    from: before === Infinity ? undefined : [leastUuid(before + ID_TIME_TOLERANCE_MS)],
    until: startedAfter === undefined ? undefined : [leastUuid(startedAfter - ID_TIME_TOLERANCE_MS)],
  };
}

/** `stuckSince` moves on with the clock; that there is one is what matters. */
function boundFilter({ stuckSince, ...filter }: RunFilter): JsonObject {
  const given = Object.entries({ ...filter, stuck: stuckSince === undefined ? undefined : true });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
