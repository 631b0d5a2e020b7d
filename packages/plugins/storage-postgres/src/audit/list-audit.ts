import type { Knex } from 'knex';
import type { AuditRecord } from '@countersign/model';
import { createInvalidCursorError } from '../queries/cursor.js';
import { isStorableId, isStorableText } from '../queries/storable.js';
import { toAuditRecord, type AuditEventRow } from '../rows/audit-event-row.js';

export interface AuditFilter {
  readonly runId?: string;
  readonly actor?: string;
  /** The `auditId` after which the list starts, oldest first. */
  readonly after?: string;
  /** Without `after`: the `auditId` before which the list starts, newest first. */
  readonly before?: string;
}

/**
 * Lists audit events by their ids, which start with the time: oldest first if `after` is given, otherwise newest first.
 * For a run, these are its own chain and the entries of the server's chain about refused requests for it.
 */
export async function listAudit(
  knex: Knex,
  { runId, actor, after, before }: AuditFilter,
  limit: number,
): Promise<AuditRecord[]> {
  const cursor = after ?? before;
  if (cursor !== undefined && !isStorableId(cursor))
    throw createInvalidCursorError('It is not the id of an audit event.');
  if (runId !== undefined && !isStorableId(runId)) return [];
  if (actor !== undefined && !isStorableText(actor)) return [];
  const isAscending = after !== undefined;
  const loadPage = async (scope: AuditScope): Promise<AuditEventRow[]> => {
    const query = knex<AuditEventRow>('audit_events')
      .limit(limit)
      .orderBy('audit_id', isAscending ? 'asc' : 'desc');
    if (actor !== undefined) void query.where('actor_id', actor);
    if (cursor !== undefined) void query.where('audit_id', isAscending ? '>' : '<', cursor);
    return scope(query);
  };
  // The page of a run is merged from two queries that each use their own index.
  const scopes: AuditScope[] =
    runId === undefined
      ? [(query) => query]
      : [
          (query) => query.where('run_id', runId),
          (query) => query.whereNull('run_id').whereRaw("target ->> 'runId' = ?", [runId]),
        ];
  const records = (await Promise.all(scopes.map(loadPage))).flat().map(toAuditRecord);
  return records.sort((a, b) => (isAscending ? 1 : -1) * (a.auditId < b.auditId ? -1 : 1)).slice(0, limit);
}

/** Returns entries of the server's audit chain after a position, in chain order. */
export async function listServerAudit(knex: Knex, after: number, limit: number): Promise<AuditRecord[]> {
  const rows = await knex<AuditEventRow>('audit_events')
    .whereNull('run_id')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
  return rows.map(toAuditRecord);
}

type AuditScope = (
  query: Knex.QueryBuilder<AuditEventRow, AuditEventRow[]>,
) => Knex.QueryBuilder<AuditEventRow, AuditEventRow[]>;
