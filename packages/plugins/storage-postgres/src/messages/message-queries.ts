import type { ChannelMatches, MessageChannel, MessageReceipt } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { toRunIds, type MessageRecipients } from './message-recipients.js';

/**
 * Records that no message of a channel matches. The transaction must hold the locks of the start keys in use, so that a
 * transaction that frees one afterwards sees the channel.
 *
 * @returns whether one of these keys is now free; nothing is recorded in this case
 */
export async function markChannelIdle(
  transaction: Queryable,
  { messageName, correlationKey }: MessageChannel,
  { changes, lastPosition, blockedWorkflowIds }: Omit<ChannelMatches, 'matches'>,
): Promise<boolean> {
  const { rows } = await transaction.query({
    name: 'settle_channel',
    text: `
      WITH free AS (
        SELECT FROM unnest($5::text[]) AS h(workflow_id) WHERE NOT EXISTS (
          SELECT FROM message_start_keys k WHERE k.workflow_id = h.workflow_id AND k.correlation_key = $2
        )
      ),
      settled AS (
        UPDATE message_channels SET looked = GREATEST(looked, $4::bigint),
          look_at = CASE WHEN changes = $3::bigint THEN 'infinity' ELSE look_at END
        WHERE message_name = $1 AND correlation_key = $2 AND NOT EXISTS (SELECT FROM free)
      )
      SELECT EXISTS (SELECT FROM free) AS again`,
    values: [messageName, correlationKey, changes, lastPosition, blockedWorkflowIds],
  });
  return rows[0]?.['again'] === true;
}

export async function refuseMessage(database: Queryable, messageId: string, workflowId: string): Promise<void> {
  await database.query({
    name: 'refuse_message',
    text: `UPDATE messages SET received = received || jsonb_build_object($2::text, NULL) WHERE message_id = $1 AND NOT received ? $2`,
    values: [messageId, workflowId],
  });
}

/**
 * CTEs that delete the channels of `gone` (deleted messages with their channel) that have no other messages. A channel
 * that changed concurrently stays, because this statement sees an old state of its messages.
 */
const DROP_EMPTY_CHANNELS = `
  seen AS MATERIALIZED (
    SELECT c.message_name, c.correlation_key, c.changes FROM message_channels c
    JOIN (SELECT DISTINCT message_name, correlation_key FROM gone) g USING (message_name, correlation_key)
    WHERE c.look_at = 'infinity' AND NOT EXISTS (
      SELECT FROM messages m WHERE m.message_name = c.message_name AND m.correlation_key = c.correlation_key
        AND m.message_id NOT IN (SELECT message_id FROM gone)
    )
  ),
  dropped AS (
    DELETE FROM message_channels c USING seen s
    WHERE c.message_name = s.message_name AND c.correlation_key = s.correlation_key AND c.changes = s.changes AND c.look_at = 'infinity'
  )`;

export async function findMessageReceipt(
  database: Queryable,
  messageId: string,
  now: number,
  { forget }: { forget: boolean },
): Promise<MessageReceipt | undefined> {
  const values = [messageId, isoTime(now)];
  const { rows } = await database.query(
    forget
      ? {
          name: 'finish_message',
          text: `
            WITH gone AS (
              DELETE FROM messages WHERE message_id = $1 AND expires_at <= $2 RETURNING message_id, message_name, correlation_key, received
            ), ${DROP_EMPTY_CHANNELS}
            SELECT received, false AS buffered FROM gone
            UNION ALL SELECT received, true FROM messages WHERE message_id = $1 AND expires_at > $2`,
          values,
        }
      : {
          name: 'message_receipt',
          text: 'SELECT received, expires_at > $2 AS buffered FROM messages WHERE message_id = $1',
          values,
        },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { runIds, startedRunIds } = toRunIds(row['received'] as MessageRecipients);
  return { runIds, startedRunIds, buffered: row['buffered'] === true };
}

export async function claimChannels(
  database: Queryable,
  request: { limit: number; leaseMs: number },
): Promise<MessageChannel[]> {
  const { rows } = await database.query({
    name: 'claim_channels',
    text: `
      WITH chosen AS (
        SELECT message_name, correlation_key FROM message_channels WHERE look_at <= now()
        ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE message_channels c SET look_at = now() + make_interval(secs => $2::float8 / 1000)
      FROM chosen n WHERE c.message_name = n.message_name AND c.correlation_key = n.correlation_key
      RETURNING c.message_name, c.correlation_key`,
    values: [request.limit, request.leaseMs],
  });
  return rows.map((row) => ({
    messageName: String(row['message_name']),
    correlationKey: String(row['correlation_key']),
  }));
}

export async function expireMessages(
  database: Queryable,
  now: number,
  leaseMs: number,
  limit: number,
): Promise<number> {
  const { rows } = await database.query({
    name: 'expire_messages',
    text: `
      WITH chosen AS MATERIALIZED (
        SELECT m.message_id FROM messages m JOIN message_channels c USING (message_name, correlation_key)
        WHERE m.expires_at <= $1 AND m.position <= c.looked AND m.stored_at <= now() - make_interval(secs => $2::float8 / 1000)
        ORDER BY m.expires_at LIMIT $3 FOR UPDATE OF m SKIP LOCKED
      ),
      gone AS (
        DELETE FROM messages WHERE message_id = ANY(ARRAY(SELECT message_id FROM chosen))
        RETURNING message_id, message_name, correlation_key, origin -> 'ofEvent' = 'true' AS of_event
      ),
      expired AS (
        UPDATE inbound_events SET status = 'expired'
        WHERE event_id = ANY(ARRAY(SELECT message_id FROM gone WHERE of_event)) AND status = 'buffered'
      ), ${DROP_EMPTY_CHANNELS}
      SELECT count(*)::int AS count FROM gone`,
    values: [isoTime(now), leaseMs, limit],
  });
  return Number(rows[0]?.['count']);
}

export async function countBufferedMessages(database: Queryable, now: number): Promise<number> {
  const { rows } = await database.query({
    name: 'count_buffered_messages',
    text: 'SELECT count(*)::int AS count FROM messages WHERE expires_at > $1',
    values: [isoTime(now)],
  });
  return Number(rows[0]?.['count']);
}
