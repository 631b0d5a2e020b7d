import type { MessageToPublish } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import type { MessageRecipients } from './message-recipients.js';

/**
 * Stores a message and marks its channel as changed. The transaction must hold the lock of the channel.
 *
 * @param received recipients that the message already has
 */
export async function publishMessage(
  transaction: Queryable,
  message: MessageToPublish,
  leaseMs: number,
  received: MessageRecipients = {},
): Promise<'published' | 'duplicate' | 'gone'> {
  const { rows } = await transaction.query({
    name: 'publish_message',
    text: `
      WITH owed AS (DELETE FROM outbox WHERE message_id = $1 AND $8::boolean RETURNING message_id),
      stored AS (
        INSERT INTO messages (message_id, message_name, correlation_key, payload, origin, published_at, expires_at, received)
        SELECT $1, $2, $3, $4::json, $5::jsonb, $6, $7, $10::jsonb WHERE NOT $8 OR EXISTS (SELECT FROM owed)
        ON CONFLICT (message_id) DO NOTHING RETURNING message_id
      ),
      stirred AS (
        INSERT INTO message_channels AS c (message_name, correlation_key, look_at)
        SELECT $2, $3, now() + make_interval(secs => $9::float8 / 1000) FROM stored
        ON CONFLICT (message_name, correlation_key)
          DO UPDATE SET changes = nextval('delivery_order'), look_at = LEAST(c.look_at, excluded.look_at)
      )
      SELECT EXISTS (SELECT FROM stored) AS stored, EXISTS (SELECT FROM owed) AS owed`,
    values: [
      message.messageId,
      message.messageName,
      message.correlationKey,
      JSON.stringify(message.payload),
      JSON.stringify(message.origin),
      isoTime(message.publishedAt),
      isoTime(message.expiresAt),
      message.fromOutbox,
      leaseMs,
      JSON.stringify(received),
    ],
  });
  if (rows[0]?.['stored'] === true) return 'published';
  return message.fromOutbox && rows[0]?.['owed'] !== true ? 'gone' : 'duplicate';
}
