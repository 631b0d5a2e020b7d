import type { Knex } from 'knex';
import type { AuditRecord } from '@countersign/core/plugin';
import { AuditEventModel } from '../models/audit-event-model.js';
import { invalidCursor } from '../queries/cursor.js';

export interface AuditFilter {
  readonly runId?: string;
  readonly actor?: string;
  /** The `auditId` behind which to go on. */
  readonly after?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Oldest first: a run's own by their place in its chain, others by their ids, which begin with the time. */
export async function listAudit(knex: Knex, { runId, actor, after }: AuditFilter, limit: number): Promise<AuditRecord[]> {
  if (after !== undefined && !UUID.test(after)) throw invalidCursor('It is no id of an audit event.');
  const query = AuditEventModel.query(knex).limit(limit);
  if (actor !== undefined) query.where('actor_id', actor);
  if (runId === undefined) {
    query.orderBy('audit_id');
    if (after !== undefined) query.where('audit_id', '>', after);
  } else {
    query.where('run_id', runId).orderBy('seq');
    if (after !== undefined) query.where('seq', '>', await placeInChain(knex, runId, after));
  }
  return (await query).map((record) => record.toRecord());
}

async function placeInChain(knex: Knex, runId: string, auditId: string): Promise<number> {
  const found = await AuditEventModel.query(knex).select('seq').where('run_id', runId).findById(auditId);
  if (found === undefined) throw invalidCursor('It belongs to another run.');
  return found.seq;
}
