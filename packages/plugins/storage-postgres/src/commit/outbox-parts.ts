import { isoTime, type Delivery, type RunWrite } from '@countersign/core/plugin';
import type { CommitPart, Row } from './commit-part.js';

/** What runs tell others, and what of it a command delivers. */
export const OUTBOX_PARTS: readonly CommitPart[] = [
  {
    name: 'new_outbox',
    columns: {
      run_id: 'uuid',
      ordinal: 'int',
      message_id: 'uuid',
      queue: 'uuid',
      sent_at: 'timestamptz',
      message: 'json',
      own_before: 'word',
      own_after: 'word',
    },
    // In order, so that the numbers of `position` are drawn in it.
    sql: `INSERT INTO outbox (run_id, message_id, queue, sent_at, message, own_before, own_after)
          SELECT run_id, message_id, queue, sent_at, message, own_before::uuid[], own_after::uuid[] FROM input
          ORDER BY run_id, ordinal`,
    rows: ({ run, outgoing }) =>
      outgoing.map(({ message, queue, sentAt, own }, ordinal) => ({
        run_id: run.runId,
        ordinal,
        message_id: message.messageId,
        queue,
        sent_at: isoTime(sentAt),
        message,
        own_before: uuidArray(own?.before),
        own_after: uuidArray(own?.after),
      })),
  },
  {
    name: 'delivered',
    columns: { run_id: 'uuid', message_id: 'uuid' },
    sql: 'DELETE FROM outbox WHERE message_id = ANY(ARRAY(SELECT message_id FROM input))',
    barred: `SELECT n.run_id FROM input n WHERE n.message_id NOT IN (
               SELECT message_id FROM outbox WHERE message_id = ANY(ARRAY(SELECT message_id FROM input)) FOR UPDATE
             )`,
    rows: (write) => deliveryRows(write, (delivery) => delivery.final),
  },
  {
    name: 'served',
    columns: { run_id: 'uuid', message_id: 'uuid', workflow_id: 'text' },
    // One row of a table is updated by a statement once, also where runs of several workflows have had the message.
    sql: `UPDATE outbox o SET served = o.served || n.workflows
          FROM (SELECT message_id, array_agg(workflow_id) AS workflows FROM input GROUP BY message_id) n
          WHERE o.message_id = n.message_id AND o.message_id = ANY(ARRAY(SELECT message_id FROM input))`,
    barred: `SELECT n.run_id FROM input n WHERE (n.message_id, n.workflow_id) NOT IN (
               SELECT i.message_id, i.workflow_id FROM input i JOIN outbox o USING (message_id)
               WHERE o.message_id = ANY(ARRAY(SELECT message_id FROM input)) AND NOT i.workflow_id = ANY(o.served)
               FOR UPDATE OF o
             )`,
    rows: (write) => deliveryRows(write, (delivery) => !delivery.final),
  },
];

function deliveryRows({ run, delivery }: RunWrite, wanted: (delivery: Delivery) => boolean): Row[] {
  if (delivery === null || !wanted(delivery)) return [];
  return [{ run_id: run.runId, message_id: delivery.messageId, workflow_id: run.workflowId }];
}

/** As PostgreSQL writes an array. */
export function uuidArray(ids: readonly string[] = []): string {
  return `{${ids.join(',')}}`;
}
