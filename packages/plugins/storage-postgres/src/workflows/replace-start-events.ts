import { isoTime, type StartEvents } from '@countersign/core/plugin';
import type { Queryable } from '../commit/commit-writes.js';

/** Lets a version that has become the newest take over what starts runs of its workflow. */
export async function replaceStartEvents(transaction: Queryable, workflowId: string, version: number, starts: StartEvents): Promise<void> {
  await transaction.query({ text: 'DELETE FROM start_subscriptions WHERE workflow_id = $1', values: [workflowId] });
  await transaction.query({ text: 'DELETE FROM start_timers WHERE workflow_id = $1', values: [workflowId] });
  for (const { kind, name, elementId, trigger } of starts.subscriptions) {
    await transaction.query({
      text: 'INSERT INTO start_subscriptions (workflow_id, kind, name, version, element_id, trigger) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [workflowId, kind, name, version, elementId, trigger],
    });
  }
  for (const { elementId, trigger, dueAt, cycle } of starts.timers) {
    await transaction.query({
      text: 'INSERT INTO start_timers (workflow_id, element_id, trigger, version, due_at, cycle) VALUES ($1, $2, $3, $4, $5, $6::jsonb)',
      values: [workflowId, elementId, trigger, version, isoTime(dueAt), cycle === null ? null : JSON.stringify(cycle)],
    });
  }
}
