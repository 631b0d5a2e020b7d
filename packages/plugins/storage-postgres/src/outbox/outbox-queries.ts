import type { ClaimedMessage, OutgoingRow, WaitingSignalSubscription } from '@countersign/core/ports';
import { isoTime, type OutgoingMessage, type RecordedActor } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';
import { isStorableText } from '../queries/storable.js';

/** Writes messages that are not sent by a run. */
export async function insertOutgoing(
  transaction: Queryable,
  messages: readonly OutgoingRow[],
  actor: RecordedActor | null,
): Promise<void> {
  for (const { message, queue, sentAt } of messages) {
    await transaction.query({
      name: 'insert_outgoing',
      text: `INSERT INTO outbox (message_id, queue, sent_at, message, actor)
             VALUES ($1, $2, $3, $4::json, $5::jsonb) ON CONFLICT (message_id) DO NOTHING`,
      values: [
        message.messageId,
        queue,
        isoTime(sentAt),
        JSON.stringify(message),
        actor === null ? null : JSON.stringify(actor),
      ],
    });
  }
}

/** Claims messages that are not being delivered: the first of each queue. */
export async function claimOutgoing(
  database: Queryable,
  request: { limit: number; leaseMs: number; excludedRunIds?: readonly string[] },
): Promise<ClaimedMessage[]> {
  const { excludedRunIds = [] } = request;
  const { rows } = await database.query({
    name: excludedRunIds.length === 0 ? 'claim_outgoing' : 'claim_outgoing_of_others',
    text: `
      WITH chosen AS (
        SELECT message_id FROM outbox o
        WHERE available_at <= now() AND NOT EXISTS (SELECT FROM outbox e WHERE e.queue = o.queue AND e.position < o.position)
          ${excludedRunIds.length === 0 ? '' : 'AND (o.run_id IS NULL OR o.run_id <> ALL ($3::uuid[]))'}
        ORDER BY available_at LIMIT $1 FOR UPDATE SKIP LOCKED
      )
      UPDATE outbox o SET attempts = attempts + 1, available_at = now() + make_interval(secs => $2::float8 / 1000 * power(2, least(attempts, 5)))
      FROM chosen WHERE o.message_id = chosen.message_id
      RETURNING o.position, o.run_id, o.actor, o.attempts, o.message`,
    values: [request.limit, request.leaseMs, ...(excludedRunIds.length === 0 ? [] : [excludedRunIds])],
  });
  return rows
    .sort((a, b) => Number(a['position']) - Number(b['position']))
    .map((row) => ({
      message: row['message'] as OutgoingMessage,
      runId: row['run_id'] === null ? null : String(row['run_id']),
      actor: row['actor'] as RecordedActor | null,
      attempts: Number(row['attempts']),
    }));
}

export async function postponeOutgoing(database: Queryable, messageId: string, pauseMs: number): Promise<void> {
  await database.query({
    name: 'postpone_outgoing',
    text: 'UPDATE outbox SET available_at = now() + make_interval(secs => $2::float8 / 1000) WHERE message_id = $1',
    values: [messageId, pauseMs],
  });
}

export async function deleteDelivered(database: Queryable, messageIds: readonly string[]): Promise<void> {
  await database.query({
    name: 'settle_outgoing',
    text: 'DELETE FROM outbox WHERE message_id = ANY($1::uuid[])',
    values: [messageIds],
  });
}

/** Returns contributors that are in undelivered messages of a tree of runs. Uses the index `outbox_contributors`. */
export async function findPendingContributors(database: Queryable, rootRunId: string): Promise<string[]> {
  const { rows } = await database.query({
    name: 'contributors_under_way',
    text: `SELECT DISTINCT c.id FROM outbox o, json_array_elements_text(o.message->'contributors') AS c (id)
           WHERE o.message->>'kind' = 'contributors' AND o.message->>'rootRunId' = $1`,
    values: [rootRunId],
  });
  return rows.map((row) => String(row['id']));
}

/** Returns subscriptions of other runs, after a position, that existed when the signal was thrown. */
export async function findSignalSubscriptions(
  database: Queryable,
  messageId: string,
  signalName: string,
  after: number,
  limit: number,
): Promise<WaitingSignalSubscription[]> {
  if (!isStorableText(signalName)) return [];
  const { rows } = await database.query({
    name: 'find_signal_subscriptions',
    text: `SELECT s.subscription_id, s.run_id, s.position
           FROM outbox o JOIN signal_subscriptions s
             ON s.signal_name = $2 AND s.position > $3::bigint AND s.position < o.position AND s.run_id IS DISTINCT FROM o.run_id
           WHERE o.message_id = $1
           ORDER BY s.position LIMIT $4`,
    values: [messageId, signalName, after, limit],
  });
  return rows.map((row) => ({
    subscriptionId: String(row['subscription_id']),
    runId: String(row['run_id']),
    position: Number(row['position']),
  }));
}
