import type { JsonObject } from '@countersign/model';
import type { InboundEventRecord, InboundEventStatus } from '../../ports/inbound-events.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

export type InboundEventView = {
  eventId: string;
  via: string;
  source: string | null;
  status: InboundEventStatus;
  code: string | null;
  deliveryId: string | null;
  messageName: string | null;
  correlationKey: string | null;
  runIds: string[];
  startedRunIds: string[];
  receivedAt: string;
  expiresAt: string | null;
  repeats: number;
  lastRepeatAt: string | null;
  bodyDigest: string | null;
  from: string | null;
};

export type InboundEventDetailView = InboundEventView & { payload: JsonObject | null };

export function toInboundEventView(event: Omit<InboundEventRecord, 'payload'>): InboundEventView {
  const {
    eventId,
    via,
    source,
    status,
    code,
    idempotencyKey,
    messageName,
    correlationKey,
    resumedRunIds,
    startedRunIds,
    repeats,
    bodyDigest,
    from,
  } = event;
  return {
    eventId,
    via,
    source,
    status,
    code,
    deliveryId: idempotencyKey,
    messageName,
    correlationKey,
    runIds: [...resumedRunIds, ...startedRunIds],
    startedRunIds: [...startedRunIds],
    receivedAt: toTimestamp(event.receivedAt),
    expiresAt: toTimestampOrNull(event.expiresAt),
    repeats,
    lastRepeatAt: toTimestampOrNull(event.lastRepeatAt),
    bodyDigest,
    from,
  };
}

export function toInboundEventDetailView(event: InboundEventRecord): InboundEventDetailView {
  return { ...toInboundEventView(event), payload: event.payload };
}
