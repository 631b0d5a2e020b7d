import type { Knex } from 'knex';
import type { AuditRecord } from '@countersign/model';
import { invalidCursor } from '../queries/cursor.js';
import { isStorableId, isStorableText } from '../queries/storable.js';
import { auditRecordOf, type AuditEventRow } from '../rows/audit-event-row.js';

export interface AuditFilter {
  readonly runId?: string;
  readonly actor?: string;
  /** The `auditId` behind which to go on, oldest first. */
  readonly after?: string;
  /** Without `after`: the `auditId` from which to go back. */
  readonly before?: string;
}

/**
 * Oldest first behind `after`, else newest first, by their ids, which begin with the time. With a run: its own chain, and
 * what the server's chain holds of requests about it that were refused.
 */
export async function listAudit(
  knex: Knex,
  { runId, actor, after, before }: AuditFilter,
  limit: number,
): Promise<AuditRecord[]> {
  const place = after ?? before;
  if (place !== undefined && !isStorableId(place)) throw invalidCursor('It is no id of an audit event.');
  if (runId !== undefined && !isStorableId(runId)) return [];
  if (actor !== undefined && !isStorableText(actor)) return [];
  const forward = after !== undefined;
  const page = async (scope: AuditScope): Promise<AuditEventRow[]> => {
    const query = knex<AuditEventRow>('audit_events')
      .limit(limit)
      .orderBy('audit_id', forward ? 'asc' : 'desc');
    if (actor !== undefined) void query.where('actor_id', actor);
    if (place !== undefined) void query.where('audit_id', forward ? '>' : '<', place);
    return scope(query);
  };
  // Of a run, the page is merged from two places that have an index each.
  const scopes: AuditScope[] =
    runId === undefined
      ? [(query) => query]
      : [
          (query) => query.where('run_id', runId),
          (query) => query.whereNull('run_id').whereRaw("target ->> 'runId' = ?", [runId]),
        ];
  const records = (await Promise.all(scopes.map(page))).flat().map(auditRecordOf);
  return records.sort((a, b) => (forward ? 1 : -1) * (a.auditId < b.auditId ? -1 : 1)).slice(0, limit);
}

/** The server's own chain behind a position, in its order. */
export async function listServerAudit(knex: Knex, after: number, limit: number): Promise<AuditRecord[]> {
  const rows = await knex<AuditEventRow>('audit_events')
    .whereNull('run_id')
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
  return rows.map(auditRecordOf);
}

type AuditScope = (
  query: Knex.QueryBuilder<AuditEventRow, AuditEventRow[]>,
) => Knex.QueryBuilder<AuditEventRow, AuditEventRow[]>;
