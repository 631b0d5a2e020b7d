import type { OutboundDeliveryRecord, OutboundDeliveryStatus } from '@countersign/core/ports';

/** Row of `outbound_deliveries`. */
interface DeliveryRow {
  readonly delivery_id: string;
  readonly run_id: string | null;
  readonly element_id: string | null;
  readonly endpoint_id: string;
  readonly content_type: string;
  readonly status: OutboundDeliveryStatus;
  readonly held: boolean;
  readonly attempts: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly accepted_at: number;
  readonly last_attempt_at: number | null;
  readonly next_attempt_at: number | null;
  readonly ended_at: number | null;
}

/** All columns except the body, which may be large and is intended only for its recipient. */
export const DELIVERY_COLUMNS = Object.freeze([
  'delivery_id',
  'run_id',
  'element_id',
  'endpoint_id',
  'content_type',
  'status',
  'forced',
  'attempts',
  'status_code',
  'error',
  'accepted_at',
  'last_attempt_at',
  'next_attempt_at',
  'ended_at',
]);

/** SQL condition for a delivery `d` that is held because its endpoint `t` is disabled. */
export const IS_HELD = `(d.status = 'pending' AND NOT d.forced AND t.disabled_at IS NOT NULL)`;

export function toDelivery(found: Record<string, unknown>): OutboundDeliveryRecord {
  const row = found as unknown as DeliveryRow;
  return {
    deliveryId: row.delivery_id,
    runId: row.run_id,
    elementId: row.element_id,
    endpointId: row.endpoint_id,
    contentType: row.content_type,
    status: row.status,
    held: row.held,
    attempts: row.attempts,
    statusCode: row.status_code,
    error: row.error,
    acceptedAt: row.accepted_at,
    lastAttemptAt: row.last_attempt_at,
    nextAttemptAt: row.next_attempt_at,
    endedAt: row.ended_at,
  };
}
