import type { InboundEventCause, RunWrite } from '@countersign/core/ports';
import { EVENT_COLUMNS, toEventRow, toRefusals } from '../inbound-events/inbound-event-row.js';
import type { CommitPart, Row } from './commit-part.js';

const QUOTED_COLUMNS = Object.keys(EVENT_COLUMNS)
  .map((name) => `"${name}"`)
  .join(', ');

/** Inbound events that commands consume. */
export const INBOUND_EVENT_PARTS: readonly CommitPart[] = [
  {
    name: 'new_inbound_events',
    columns: { run_id: 'uuid', received: 'jsonb', ...EVENT_COLUMNS },
    sql: `INSERT INTO inbound_events (${QUOTED_COLUMNS}, status, received) SELECT ${QUOTED_COLUMNS}, 'matched', received FROM input`,
    // A concurrent use of the same key violates the unique index; the writes of the batch are then committed one by
    // one. LATERAL with LIMIT, because for EXISTS conditions joined by OR, the planner would read all events into a
    // hash table.
    rejectedSql: `SELECT n.run_id FROM input n CROSS JOIN LATERAL (
               SELECT FROM inbound_events e WHERE e.via = n.via AND e.source = n.source AND e.idempotency_key = n.idempotency_key AND e.status <> 'refused' LIMIT 1
             ) AS same_key
             UNION ALL SELECT n.run_id FROM input n CROSS JOIN LATERAL (
               SELECT FROM inbound_events e WHERE e.via = n.via AND e.source = n.source AND e.body_digest = n.body_digest AND e.once_per_body LIMIT 1
             ) AS same_body`,
    rows: (write) =>
      findEvents(write, false).map(({ event, refusedBy }) => ({
        run_id: write.run.runId,
        received: buildRecipients(write, refusedBy),
        ...toEventRow(event),
      })),
  },
  {
    name: 'redelivered_events',
    columns: { run_id: 'uuid', event_id: 'uuid', received: 'jsonb' },
    sql: `UPDATE inbound_events e SET status = 'matched', received = n.received FROM (SELECT * FROM input) n
          WHERE e.event_id = n.event_id AND e.event_id = ANY(ARRAY(SELECT event_id FROM input))`,
    rejectedSql: `SELECT n.run_id FROM input n WHERE n.event_id NOT IN (
               SELECT event_id FROM inbound_events WHERE event_id = ANY(ARRAY(SELECT event_id FROM input)) AND status IN ('unmatched', 'expired')
               ORDER BY event_id FOR UPDATE
             ) OR EXISTS (SELECT FROM input e WHERE e.event_id = n.event_id AND e.run_id < n.run_id)`,
    rows: (write) =>
      findEvents(write, true).map(({ event, refusedBy }) => ({
        run_id: write.run.runId,
        event_id: event.eventId,
        received: buildRecipients(write, refusedBy),
      })),
  },
  {
    name: 'received_events',
    columns: { run_id: 'uuid', event_id: 'uuid', received: 'jsonb' },
    // Further runs that receive the message of a kept event. The row of the message is already locked, so these updates
    // are serialized.
    sql: `UPDATE inbound_events e SET status = 'matched', received = e.received || n.received
          FROM (
            SELECT event_id, jsonb_object_agg(o.key, o.value) AS received FROM input CROSS JOIN LATERAL jsonb_each(received) o GROUP BY event_id
          ) n
          WHERE e.event_id = n.event_id AND e.event_id = ANY(ARRAY(SELECT event_id FROM input))`,
    rows: (write): Row[] => {
      const { cause, run } = write;
      return cause?.from === 'channel' && cause.ofEvent === true
        ? [{ run_id: run.runId, event_id: cause.messageId, received: buildRecipients(write, []) }]
        : [];
    },
  },
];

/** Returns the events that also stay in their channel as messages, with their recipients. */
export function findEventsToKeep(writes: readonly RunWrite[]): {
  readonly runId: string;
  readonly cause: InboundEventCause;
  readonly received: ReturnType<typeof buildRecipients>;
}[] {
  return writes.flatMap((write) => {
    const { cause } = write;
    return cause?.from === 'event' && cause.keep
      ? [{ runId: write.run.runId, cause, received: buildRecipients(write, cause.refusedBy) }]
      : [];
  });
}

function findEvents({ cause }: RunWrite, isRedelivery: boolean): InboundEventCause[] {
  return cause?.from === 'event' && cause.isRedelivery === isRedelivery ? [cause] : [];
}

function buildRecipients({ run, expectedRevision }: RunWrite, refusedBy: readonly string[]) {
  return { ...toRefusals(refusedBy), [run.workflowId]: { runId: run.runId, started: expectedRevision === 0 } };
}
