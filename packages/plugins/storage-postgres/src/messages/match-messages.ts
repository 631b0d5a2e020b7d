import type { JsonObject } from '@countersign/core/plugin';
import type { ChannelMatches, MessageChannel, MessageMatch, MessageOrigin } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

/**
 * CTEs for the possible recipients of a message `$1` with the correlation key `$2`: `candidate` has one row per
 * workflow, with the run that has waited longest, or with its start event.
 */
export const RECIPIENT_CTES = `
      waiting AS (
        (SELECT workflow_id, subscription_id, run_id FROM message_subscriptions
         WHERE message_name = $1 AND correlation_key = $2 ORDER BY workflow_id, since, subscription_id LIMIT 1)
        UNION ALL
        SELECT n.workflow_id, n.subscription_id, n.run_id FROM waiting w CROSS JOIN LATERAL (
          SELECT workflow_id, subscription_id, run_id FROM message_subscriptions
          WHERE message_name = $1 AND correlation_key = $2 AND workflow_id > w.workflow_id
          ORDER BY workflow_id, since, subscription_id LIMIT 1
        ) n
      ),
      starting AS (
        SELECT workflow_id, version, element_id, trigger, position, $2 <> '' AND EXISTS (
          SELECT FROM message_start_keys k WHERE k.workflow_id = s.workflow_id AND k.correlation_key = $2
        ) AS held
        FROM start_subscriptions s
        WHERE kind = 'message' AND name = $1 AND NOT EXISTS (SELECT FROM waiting w WHERE w.workflow_id = s.workflow_id)
      ),
      candidate AS (
        SELECT workflow_id, subscription_id, run_id, NULL::integer AS version, NULL AS element_id, NULL::integer AS trigger, 0::bigint AS position, false AS held FROM waiting
        UNION ALL SELECT workflow_id, NULL, NULL, version, element_id, trigger, position, held FROM starting
      )`;

/**
 * Matches the messages of a channel with recipients, in one snapshot. For each recipient workflow, only the first
 * message matches, because its effect determines which subscriptions the next message finds.
 *
 * A message starts runs of the workflows that had the start event when it was published. A workflow deployed later
 * waits for the next message (as in Zeebe).
 */
export async function matchMessages(
  database: Queryable,
  { messageName, correlationKey }: MessageChannel,
  now: number,
): Promise<ChannelMatches | undefined> {
  const { rows } = await database.query({
    name: 'match_messages',
    text: `
      WITH RECURSIVE ${RECIPIENT_CTES}
      SELECT c.changes, COALESCE(l.position, 0) AS last, m.*
      FROM message_channels c
      LEFT JOIN LATERAL (
        SELECT position FROM messages WHERE message_name = $1 AND correlation_key = $2 ORDER BY position DESC LIMIT 1
      ) l ON true
      LEFT JOIN LATERAL (
        SELECT n.*, f.message_id, f.at, f.payload, f.origin FROM candidate n CROSS JOIN LATERAL (
          SELECT message_id, position AS at, payload, origin FROM messages
          WHERE message_name = $1 AND correlation_key = $2 AND position > n.position AND NOT received ? n.workflow_id
            AND (expires_at > $3 OR position > c.looked)
          ORDER BY position LIMIT 1
        ) f
      ) m ON true
      WHERE c.message_name = $1 AND c.correlation_key = $2`,
    values: [messageName, correlationKey, isoTime(now)],
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  const found = rows.filter((row) => row['message_id'] !== null);
  return {
    changes: String(first['changes']),
    lastPosition: String(first['last']),
    matches: found.filter((row) => row['held'] === false).map(toMatch),
    blockedWorkflowIds: found.filter((row) => row['held'] === true).map((row) => String(row['workflow_id'])),
  };
}

function toMatch(row: Record<string, unknown>): MessageMatch {
  return {
    messageId: String(row['message_id']),
    position: String(row['at']),
    payload: row['payload'] as JsonObject,
    origin: row['origin'] as MessageOrigin,
    ...toRecipient(row),
  };
}

/** Returns the recipient of a row of `candidate`. */
export function toRecipient(row: Record<string, unknown>): Pick<MessageMatch, 'workflowId' | 'to'> {
  return {
    workflowId: String(row['workflow_id']),
    to:
      row['run_id'] !== null
        ? { kind: 'run', runId: String(row['run_id']), subscriptionId: String(row['subscription_id']) }
        : {
            kind: 'start',
            version: Number(row['version']),
            elementId: String(row['element_id']),
            trigger: Number(row['trigger']),
          },
  };
}
