import type { JsonObject } from '@countersign/core/plugin';
import type { InboundEvent, InboundEventRecord, InboundEventStatus, MessageToPublish } from '@countersign/core/ports';
import { isoTime } from '@countersign/model';
import { toRunIds, type MessageRecipients } from '../messages/message-recipients.js';

/** Row of `inbound_events`. */
export interface InboundEventRow {
  readonly event_id: string;
  readonly via: string;
  readonly source: string | null;
  readonly idempotency_key: string | null;
  readonly body_digest: string | null;
  readonly message_name: string | null;
  readonly correlation_key: string | null;
  readonly payload: JsonObject | null;
  readonly status: InboundEventStatus;
  readonly code: string | null;
  readonly received: MessageRecipients;
  readonly received_at: number;
  readonly expires_at: number | null;
  readonly repeats: number;
  readonly last_repeat_at: number | null;
  readonly from: string | null;
  readonly trace_id: string | null;
}

export function toInboundEvent(row: InboundEventRow): InboundEventRecord {
  const { runIds, startedRunIds } = toRunIds(row.received);
  return {
    eventId: row.event_id,
    via: row.via,
    source: row.source,
    status: row.status,
    code: row.code,
    idempotencyKey: row.idempotency_key,
    bodyDigest: row.body_digest,
    correlationKey: row.correlation_key,
    payload: row.payload,
    messageName: row.message_name,
    receivedAt: row.received_at,
    expiresAt: row.expires_at,
    resumedRunIds: runIds,
    startedRunIds,
    repeats: row.repeats,
    lastRepeatAt: row.last_repeat_at,
    from: row.from,
    traceId: row.trace_id,
  };
}

/** Columns of an event when it is recorded, with their types. */
export const EVENT_COLUMNS = {
  event_id: 'uuid',
  via: 'word',
  source: 'text',
  idempotency_key: 'text',
  body_digest: 'word',
  once_per_body: 'boolean',
  message_name: 'text',
  correlation_key: 'text',
  payload: 'json',
  actor: 'jsonb',
  received_at: 'timestamptz',
  expires_at: 'timestamptz',
  from: 'text',
  trace_id: 'text',
} as const;

export function toEventRow(event: InboundEvent): Record<keyof typeof EVENT_COLUMNS, unknown> {
  return {
    event_id: event.eventId,
    via: event.via,
    source: event.source,
    idempotency_key: event.idempotencyKey,
    body_digest: event.bodyDigest,
    once_per_body: event.oncePerBody,
    message_name: event.messageName,
    correlation_key: event.correlationKey,
    payload: event.payload,
    actor: event.actor,
    received_at: isoTime(event.receivedAt),
    expires_at: event.expiresAt === null ? null : isoTime(event.expiresAt),
    from: event.from,
    trace_id: event.traceId,
  };
}

/** Returns the message of a kept event. */
export function toMessage(event: InboundEvent): MessageToPublish {
  const { eventId, messageName, correlationKey, payload, receivedAt, expiresAt, actor, from, traceId } = event;
  const origin = { runId: null, actor, from, traceId, ofEvent: true };
  return {
    messageId: eventId,
    messageName,
    correlationKey,
    payload,
    publishedAt: receivedAt,
    expiresAt: expiresAt ?? receivedAt,
    origin,
    fromOutbox: false,
  };
}

/** Returns message recipients that record the refusal of each of these workflows. */
export const toRefusals = (workflowIds: readonly string[]): MessageRecipients =>
  Object.fromEntries(workflowIds.map((workflowId) => [workflowId, null]));
