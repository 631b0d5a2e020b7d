import type { StartEvents } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/** Replaces the start events of a workflow with those of its newest version. */
export async function replaceStartEvents(
  transaction: Queryable,
  workflowId: string,
  version: number,
  starts: StartEvents,
): Promise<void> {
  const { rows } = await transaction.query({
    text: 'DELETE FROM start_subscriptions WHERE workflow_id = $1 RETURNING kind, name, position',
    values: [workflowId],
  });
  // Start events that the previous version also had keep their position, because they have been active since then.
  const positions = new Map(rows.map((row) => [`${String(row['kind'])} ${String(row['name'])}`, row['position']]));
  // Timers are kept, so that times that already started runs do not start runs again.
  await transaction.query({
    text: 'UPDATE start_timers SET due_at = NULL WHERE workflow_id = $1',
    values: [workflowId],
  });
  // Conditions are distinguished only by their number, which is never looked up.
  const conditions = starts.conditions.map((each, index) => ({ ...each, kind: 'condition', name: String(index) }));
  for (const { kind, name, elementId, trigger } of [...starts.subscriptions, ...conditions]) {
    await transaction.query({
      text: `INSERT INTO start_subscriptions (workflow_id, kind, name, version, element_id, trigger, position)
             VALUES ($1, $2, $3, $4, $5, $6, COALESCE($7, nextval('delivery_order')))`,
      values: [workflowId, kind, name, version, elementId, trigger, positions.get(`${kind} ${name}`) ?? null],
    });
  }
  for (const { elementId, trigger, dueAt, cycle } of starts.timers) {
    await transaction.query({
      text: `INSERT INTO start_timers (workflow_id, element_id, trigger, version, due_at, cycle) VALUES ($1, $2, $3, $4, $5, $6::jsonb)
             ON CONFLICT (workflow_id, element_id, trigger) DO UPDATE SET version = excluded.version, due_at = excluded.due_at, cycle = excluded.cycle`,
      values: [workflowId, elementId, trigger, version, isoTime(dueAt), cycle === null ? null : JSON.stringify(cycle)],
    });
  }
}
