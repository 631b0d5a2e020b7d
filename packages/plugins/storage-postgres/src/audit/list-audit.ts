import type { Knex } from 'knex';
import type { AuditRecord } from '@countersign/core/plugin';
import { AuditEventModel } from '../models/audit-event-model.js';
import { invalidCursor } from '../queries/cursor.js';
import { isStorableId, isStorableText } from '../queries/storable.js';

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
export async function listAudit(knex: Knex, { runId, actor, after, before }: AuditFilter, limit: number): Promise<AuditRecord[]> {
  const place = after ?? before;
  if (place !== undefined && !isStorableId(place)) throw invalidCursor('It is no id of an audit event.');
  if (runId !== undefined && !isStorableId(runId)) return [];
  if (actor !== undefined && !isStorableText(actor)) return [];
  const query = AuditEventModel.query(knex).limit(limit);
  const direction = after === undefined ? 'desc' : 'asc';
  const beyond = after === undefined ? '<' : '>';
  if (actor !== undefined) query.where('actor_id', actor);
  if (runId !== undefined) query.where('about_run_id', runId);
  query.orderBy('audit_id', direction);
  if (place !== undefined) query.where('audit_id', beyond, place);
  return (await query).map((record) => record.toRecord());
}
