import type { InboundEventRecord, RefusedEventCount } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { toInboundEvent, type InboundEventRow } from './inbound-event-row.js';

export async function findInboundEvent(database: Queryable, eventId: string): Promise<InboundEventRecord | undefined> {
  const { rows } = await database.query({
    name: 'find_inbound_event',
    text: 'SELECT * FROM inbound_events WHERE event_id = $1',
    values: [eventId],
  });
  return rows[0] === undefined ? undefined : toInboundEvent(rows[0] as unknown as InboundEventRow);
}

/**
 * Adds counts of refused events to the records of their minute, one row per kind of refusal. A batch must contain each
 * kind only once.
 */
export async function recordRefusedEvents(database: Queryable, refusals: readonly RefusedEventCount[]): Promise<void> {
  await database.query({
    name: 'record_refused_events',
    // Sorted, so that two servers do not deadlock.
    text: `
      INSERT INTO inbound_events AS e (event_id, via, source, status, code, message_name, received_at, repeats, repeated, last_repeat_at, "from", trace_id)
      SELECT event_id, via, source, 'refused', code, message_name, received_at, count - 1, count > 1, CASE WHEN count > 1 THEN received_at END, "from", trace_id
      FROM json_to_recordset($1::json) AS n(
        event_id uuid, via text, source text, code text, message_name text, received_at timestamptz, count bigint, "from" text, trace_id text
      )
      ORDER BY via, source, code
      ON CONFLICT (via, COALESCE(source, ''), code, date_trunc('minute', received_at AT TIME ZONE 'UTC')) WHERE status = 'refused'
        DO UPDATE SET repeats = e.repeats + excluded.repeats + 1, repeated = true, last_repeat_at = GREATEST(e.last_repeat_at, excluded.received_at)`,
    values: [JSON.stringify(refusals.map(toRefusalRow))],
  });
}

function toRefusalRow({
  eventId,
  via,
  source,
  code,
  messageName,
  receivedAt,
  from,
  traceId,
  count,
}: RefusedEventCount): Record<string, unknown> {
  return {
    event_id: eventId,
    via,
    source,
    code,
    message_name: messageName,
    received_at: isoTime(receivedAt),
    from,
    trace_id: traceId,
    count,
  };
}
