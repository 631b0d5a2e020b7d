import type { EventMatch, RecordResult, InboundEvent, StoragePort } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { inTransaction, type CommandDatabase, type Queryable } from '../database/transaction.js';
import { RECIPIENT_CTES, toRecipient } from '../messages/match-messages.js';
import { getChannelLock } from '../messages/message-locks.js';
import { publishMessage } from '../messages/publish-message.js';
import {
  EVENT_COLUMNS,
  toEventRow,
  toInboundEvent,
  toMessage,
  toRefusals,
  type InboundEventRow,
} from './inbound-event-row.js';

type RecordOptions = Parameters<StoragePort['recordInboundEvent']>[1];

/**
 * Records an inbound event. An event that is not buffered needs no lock: only committed subscriptions can receive it,
 * and the statement that finds none records it. A buffered event is published under the lock of its channel, like every
 * message.
 */
export async function recordInboundEvent(
  database: CommandDatabase,
  event: InboundEvent,
  options: RecordOptions,
): Promise<RecordResult> {
  if (options.mode !== 'record' || event.expiresAt === null) {
    if (options.mode === 'record' && (await recordUnmatched(database, event))) return { kind: 'recorded' };
    return matchOrRecordEvent(database, event, options);
  }
  return inTransaction(
    database,
    async (transaction) => {
      const result = await matchOrRecordEvent(transaction, event, options);
      if (result.kind === 'recorded')
        await publishMessage(transaction, toMessage(event), options.leaseMs, toRefusals(options.refusedBy));
      return result;
    },
    { locks: [getChannelLock(event)] },
  );
}

const FIRST_EVENT_PARAMETER = 10;
const COLUMN_NAMES = Object.keys(EVENT_COLUMNS);
const QUOTED_COLUMNS = COLUMN_NAMES.map((name) => `"${name}"`).join(', ');
const EVENT_PARAMETERS = buildParameters(FIRST_EVENT_PARAMETER);

/** @param first number of the first parameter */
function buildParameters(first: number): string {
  return Object.values(EVENT_COLUMNS)
    .map((type, index) => `$${first + index}::${type === 'word' ? 'text' : type}`)
    .join(', ');
}

const RECORD_UNMATCHED = `
  INSERT INTO inbound_events (${QUOTED_COLUMNS}, status)
  SELECT ${buildParameters(3)}, 'unmatched'
  WHERE NOT EXISTS (SELECT FROM message_subscriptions WHERE message_name = $1 AND correlation_key = $2)
    AND NOT EXISTS (SELECT FROM start_subscriptions WHERE kind = 'message' AND name = $1)
    AND NOT EXISTS (
      SELECT FROM inbound_events e
      WHERE e.via = $${3 + COLUMN_NAMES.indexOf('via')} AND e.source = $${3 + COLUMN_NAMES.indexOf('source')} AND e.body_digest = $${3 + COLUMN_NAMES.indexOf('body_digest')} AND e.once_per_body
    )
  ON CONFLICT DO NOTHING RETURNING event_id`;

/**
 * Records a new event that has no possible recipient. This is cheaper than searching for recipients.
 *
 * @returns whether the event was recorded
 */
async function recordUnmatched(database: Queryable, event: InboundEvent): Promise<boolean> {
  const { rows } = await database.query({
    name: 'record_unmatched_event',
    text: RECORD_UNMATCHED,
    values: [event.messageName, event.correlationKey, ...toValues(event)],
  });
  return rows.length > 0;
}

function toValues(event: InboundEvent): unknown[] {
  const row = toEventRow(event);
  return Object.values({ ...row, payload: JSON.stringify(row.payload), actor: JSON.stringify(row.actor) });
}

const MATCH_OR_RECORD_EVENT = `
  WITH RECURSIVE known AS (
    UPDATE inbound_events SET repeats = repeats + 1, repeated = true, last_repeat_at = $3
    WHERE $8 AND event_id = (
      SELECT event_id FROM (
        (SELECT 1 AS rank, event_id FROM inbound_events WHERE via = $4 AND source = $5 AND idempotency_key = $6 AND status <> 'refused')
        UNION ALL
        (SELECT 2, event_id FROM inbound_events WHERE via = $4 AND source = $5 AND body_digest = $7 AND once_per_body)
      ) AS same ORDER BY rank LIMIT 1
    )
    RETURNING *
  ),
  ${RECIPIENT_CTES},
  open AS MATERIALIZED (
    SELECT n.*, EXISTS (
      SELECT FROM messages m JOIN message_channels c USING (message_name, correlation_key)
      WHERE m.message_name = $1 AND m.correlation_key = $2 AND m.position > n.position AND NOT m.received ? n.workflow_id
        AND (m.expires_at > $3 OR m.position > c.looked)
    ) AS behind
    FROM candidate n WHERE NOT n.held AND n.workflow_id <> ALL($9::text[])
  ),
  stored AS (
    INSERT INTO inbound_events (${QUOTED_COLUMNS}, status)
    SELECT ${EVENT_PARAMETERS}, CASE WHEN $${FIRST_EVENT_PARAMETER + COLUMN_NAMES.indexOf('expires_at')}::timestamptz IS NULL THEN 'unmatched' ELSE 'buffered' END
    WHERE $${FIRST_EVENT_PARAMETER + COLUMN_NAMES.length} AND NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM open)
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT k.*, EXISTS (SELECT FROM messages WHERE message_id = k.event_id) AS kept, EXISTS (SELECT FROM stored) AS stored, o.workflow_id, o.subscription_id, o.run_id, o.version, o.element_id, o.trigger, o.behind
  FROM (SELECT) AS once LEFT JOIN open o ON true LEFT JOIN known k ON true`;

async function matchOrRecordEvent(
  database: Queryable,
  event: InboundEvent,
  { mode, refusedBy, now }: RecordOptions,
): Promise<RecordResult> {
  const { rows } = await database.query({
    name: 'take_event',
    text: MATCH_OR_RECORD_EVENT,
    values: [
      event.messageName,
      event.correlationKey,
      isoTime(now),
      event.via,
      event.source,
      event.idempotencyKey,
      event.bodyDigest,
      mode !== 'again',
      refusedBy,
      ...toValues(event),
      mode === 'record',
    ],
  });
  const [first] = rows;
  if (first !== undefined && first['event_id'] !== null)
    return {
      kind: 'repeated',
      event: toInboundEvent(first as unknown as InboundEventRow),
      isBuffered: first['kept'] === true,
    };
  if (first?.['stored'] === true) return { kind: 'recorded' };
  const matches = rows.filter((each) => each['workflow_id'] !== null).map(toMatch);
  return mode === 'record' && matches.length === 0 ? { kind: 'claimed' } : { kind: 'matches', matches };
}

function toMatch(row: Record<string, unknown>): EventMatch {
  return { ...toRecipient(row), hasEarlierMessage: row['behind'] === true };
}
