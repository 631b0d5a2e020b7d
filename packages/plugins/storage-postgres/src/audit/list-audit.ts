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
 * Oldest first behind `after`, else newest first. A run's own events go by their place in its chain, others by their ids,
 * which begin with the time.
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
  if (runId === undefined) {
    query.orderBy('audit_id', direction);
    if (place !== undefined) query.where('audit_id', beyond, place);
  } else {
    query.where('run_id', runId).orderBy('seq', direction);
    if (place !== undefined) query.where('seq', beyond, await placeInChain(knex, runId, place));
  }
  return (await query).map((record) => record.toRecord());
}

async function placeInChain(knex: Knex, runId: string, auditId: string): Promise<number> {
  const found = await AuditEventModel.query(knex).select('seq').where('run_id', runId).findById(auditId);
  if (found === undefined) throw invalidCursor('It belongs to another run.');
  return found.seq;
}
