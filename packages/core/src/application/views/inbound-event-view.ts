import type { JsonObject } from '@countersign/model';
import type { InboundEventRecord, InboundEventStatus } from '../../ports/inbound-events.js';
import { timestamp, timestampOrNull } from './as-response.js';

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

export function inboundEventView(event: Omit<InboundEventRecord, 'payload'>): InboundEventView {
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
    receivedAt: timestamp(event.receivedAt),
    expiresAt: timestampOrNull(event.expiresAt),
    repeats,
    lastRepeatAt: timestampOrNull(event.lastRepeatAt),
    bodyDigest,
    from,
  };
}

export function inboundEventDetailView(event: InboundEventRecord): InboundEventDetailView {
  return { ...inboundEventView(event), payload: event.payload };
}
