import type { Knex } from 'knex';
import type { JsonObject, Page, PageRequest, RunFilter, RunRecord } from '@countersign/core/plugin';
import { RunModel } from '../models/run-model.js';
import { leastUuid } from '../uuid-v7.js';
import { condition, contains, type Condition } from './condition.js';
import { readPage, type PageQuery } from './read-page.js';

/** A run gets its id and its start time within one request; this is far more than they can lie apart. */
const ID_TIME_TOLERANCE_MS = 600_000;

const WAITING: Readonly<Record<NonNullable<RunFilter['waitingFor']>, string>> = Object.freeze({
  approval: 'pending_approvals > 0',
  question: 'pending_questions > 0',
  event: `waiting_for @> '[{"kind": "event"}]'`,
  timer: `waiting_for @> '[{"kind": "timer"}]'`,
});

export async function findRun(knex: Knex, runId: string): Promise<{ run: RunRecord; state: string } | undefined> {
  const row = await RunModel.query(knex)
    .select(...RunModel.listColumns, RunModel.raw('state::text AS state'))
    .findById(runId);
  return row === undefined ? undefined : { run: row.toRecord(), state: row.state ?? '' };
}

export async function listRuns(knex: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRecord>> {
  const { rows, nextCursor } = await readPage(knex, runPage(filter), page);
  return { items: rows.map((row) => RunModel.fromDatabaseJson(row).toRecord()), nextCursor };
}

/** One condition leads, the most selective one that has an index in the order of the run ids; the rest is scanned. */
export function runPage(filter: RunFilter): PageQuery {
  const candidates = conditions(filter);
  const leading = candidates.find((candidate) => candidate.index);
  const bounds = idBounds(filter);
  return {
    table: 'runs',
    list: 'runs',
    filter: boundFilter(filter),
    columns: RunModel.listColumns,
    key: [{ sql: 'run_id', type: 'uuid' }],
    direction: 'desc',
    indexed: [...(leading === undefined ? [] : [leading]), ...bounds],
    scanned: candidates.filter((candidate) => candidate !== leading),
  };
}

/** In the order in which they are preferred to lead. */
function conditions(filter: RunFilter): (Condition & { index: boolean })[] {
  const { status, outcome, workflowId, workflowVersion, riskLevel, startedBy, businessKey, startedAfter, startedBefore, waitingFor, stuckSince, q } = filter;
  const found: (Condition & { index: boolean })[] = [];
  const byIndex = (sql: string, ...values: Knex.RawBinding[]) => found.push({ ...condition(sql, ...values), index: true });
  const scanned = (part: Condition) => found.push({ ...part, index: false });
  if (businessKey !== undefined) byIndex('business_key = ?', businessKey);
  // Both say the same, and completed runs are in the index by status already.
  if (outcome === 'completed') byIndex(`status = 'completed'`);
  else if (outcome !== undefined) byIndex(`outcome = ? AND outcome <> 'completed'`, outcome);
  if (waitingFor !== undefined) byIndex(WAITING[waitingFor]);
  if (stuckSince !== undefined) {
    byIndex(`status = 'active'`);
    scanned(condition(`waiting_for = '[]' AND updated_at < ?`, new Date(stuckSince)));
  }
  if (startedBy !== undefined) byIndex('started_by = ?', startedBy);
  if (status !== undefined) byIndex('status = ?', status);
  if (workflowId !== undefined) byIndex('workflow_id = ?', workflowId);
  if (riskLevel !== undefined) byIndex('risk_level = ?', riskLevel);
  if (workflowVersion !== undefined) scanned(condition('workflow_version = ?', workflowVersion));
  if (startedAfter !== undefined) scanned(condition('started_at > ?', new Date(startedAfter)));
  if (startedBefore !== undefined) scanned(condition('started_at < ?', new Date(startedBefore)));
  if (q !== undefined) scanned(contains(q, ['business_key', 'workflow_id', 'run_id::text']));
  return found;
}

/** A UUIDv7 begins with its time, so that times bound the range of ids that has to be read. */
function idBounds({ startedAfter, startedBefore, stuckSince }: RunFilter): Condition[] {
  const bounds: Condition[] = [];
  if (startedAfter !== undefined) bounds.push(condition('run_id >= ?::uuid', leastUuid(startedAfter - ID_TIME_TOLERANCE_MS)));
  // What has not moved since then was started before.
  const before = Math.min(startedBefore ?? Infinity, stuckSince ?? Infinity);
  if (before !== Infinity) bounds.push(condition('run_id < ?::uuid', leastUuid(before + ID_TIME_TOLERANCE_MS)));
  return bounds;
}

/** `stuckSince` moves on with the clock; that there is one is what matters. */
function boundFilter({ stuckSince, ...filter }: RunFilter): JsonObject {
  const given = Object.entries({ ...filter, stuck: stuckSince === undefined ? undefined : true });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
