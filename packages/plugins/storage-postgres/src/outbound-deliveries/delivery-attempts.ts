import type { ClaimedDelivery, EndpointClaim, DeliveryAttempt, OutboundDelivery } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';

/** Accepts a delivery. Repeated calls with the same id have no effect. */
export async function acceptDelivery(
  database: Queryable,
  { deliveryId, runId, elementId, endpointId, contentType, body }: OutboundDelivery,
): Promise<void> {
  await database.query({
    name: 'accept_delivery',
    text: `INSERT INTO outbound_deliveries (delivery_id, run_id, element_id, endpoint_id, content_type, body)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (delivery_id) DO NOTHING`,
    values: [deliveryId, runId, elementId, endpointId, contentType, body],
  });
}

/** Claims deliveries per endpoint, so that a slow endpoint does not delay the others. */
export async function claimDeliveries(
  database: Queryable,
  endpoints: readonly EndpointClaim[],
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await database.query({
    name: 'claim_deliveries',
    text: `
      WITH due AS MATERIALIZED (
        SELECT d.delivery_id
        FROM unnest($1::text[], $2::int[]) AS e(endpoint_id, most)
        LEFT JOIN troubled_endpoints t ON t.endpoint_id = e.endpoint_id
        CROSS JOIN LATERAL (
          SELECT delivery_id FROM outbound_deliveries
          WHERE endpoint_id = e.endpoint_id AND status = 'pending' AND next_attempt_at <= now() AND (t.disabled_at IS NULL OR forced)
          ORDER BY next_attempt_at LIMIT e.most FOR UPDATE SKIP LOCKED
        ) d
      )
      UPDATE outbound_deliveries d SET epoch = epoch + 1, next_attempt_at = now() + make_interval(secs => $3::float8 / 1000)
      FROM due WHERE d.delivery_id = due.delivery_id
      RETURNING d.delivery_id, d.run_id, d.element_id, d.endpoint_id, d.content_type, d.body, d.attempts, d.epoch`,
    values: [
      endpoints.map(({ endpointId }) => endpointId),
      endpoints.map(({ maxDeliveries }) => maxDeliveries),
      leaseMs,
    ],
  });
  return rows.map((row) => ({
    deliveryId: String(row['delivery_id']),
    runId: row['run_id'] as string | null,
    elementId: row['element_id'] as string | null,
    endpointId: String(row['endpoint_id']),
    contentType: String(row['content_type']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    epoch: Number(row['epoch']),
  }));
}

/**
 * Records an attempt for both the delivery and its endpoint.
 *
 * @returns whether the epoch was still current
 */
export async function recordAttempt(database: Queryable, attempt: DeliveryAttempt): Promise<boolean> {
  const { deliveryId, epoch, statusCode, error } = attempt;
  const { rows } =
    error === null
      ? await recordSuccess(database, deliveryId, epoch, statusCode)
      : await recordFailure(database, attempt);
  return rows.length > 0;
}

function recordSuccess(database: Queryable, deliveryId: string, epoch: number, statusCode: number | null) {
  return database.query({
    name: 'record_delivered',
    text: `
      WITH noted AS (
        UPDATE outbound_deliveries SET status = 'delivered', attempts = attempts + 1, forced = false, status_code = $3, error = NULL,
          last_attempt_at = now(), next_attempt_at = NULL, ended_at = now()
        WHERE delivery_id = $1 AND epoch = $2 AND status = 'pending' RETURNING endpoint_id
      ), cleared AS (
        DELETE FROM troubled_endpoints t USING noted WHERE t.endpoint_id = noted.endpoint_id
      )
      SELECT endpoint_id FROM noted`,
    values: [deliveryId, epoch, statusCode],
  });
}

function recordFailure(
  database: Queryable,
  { deliveryId, epoch, statusCode, error, retryInMs, disableAfterMs }: DeliveryAttempt,
) {
  return database.query({
    name: 'record_delivery_failure',
    text: `
      WITH noted AS (
        UPDATE outbound_deliveries SET
          status = CASE WHEN $5::float8 IS NULL THEN 'failed' ELSE 'pending' END, attempts = attempts + 1, forced = false,
          status_code = $3, error = $4, last_attempt_at = now(),
          next_attempt_at = CASE WHEN $5::float8 IS NULL THEN NULL ELSE now() + make_interval(secs => $5::float8 / 1000) END,
          ended_at = CASE WHEN $5::float8 IS NULL THEN now() END
        WHERE delivery_id = $1 AND epoch = $2 AND status = 'pending' RETURNING endpoint_id
      ), marked AS (
        INSERT INTO troubled_endpoints AS t (endpoint_id, failing_since, disabled_at)
        SELECT endpoint_id, now(), CASE WHEN $6::float8 <= 0 THEN now() END FROM noted
        ON CONFLICT (endpoint_id) DO UPDATE SET disabled_at = COALESCE(
          t.disabled_at, CASE WHEN t.failing_since <= now() - make_interval(secs => $6::float8 / 1000) THEN now() END)
      )
      SELECT endpoint_id FROM noted`,
    values: [deliveryId, epoch, statusCode, error, retryInMs, disableAfterMs],
  });
}

/** Maximum number of deliveries that are deleted per call. */
const BATCH_SIZE = 1_000;

export async function deleteOldDeliveries(database: Queryable, olderThanMs: number): Promise<number> {
  const { rows } = await database.query({
    name: 'forget_deliveries',
    text: `
      WITH old AS (
        SELECT delivery_id FROM outbound_deliveries
        WHERE status <> 'pending' AND ended_at < now() - make_interval(secs => $1::float8 / 1000)
          AND (run_id IS NOT NULL OR ended_at < now() - interval '2 days')
        ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      DELETE FROM outbound_deliveries d USING old WHERE d.delivery_id = old.delivery_id RETURNING 1`,
    values: [olderThanMs, BATCH_SIZE],
  });
  return rows.length;
}
