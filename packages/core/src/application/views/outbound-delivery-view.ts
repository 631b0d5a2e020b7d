import type { OutboundDeliveryRecord, OutboundDeliveryStatus } from '../../ports/outbound-deliveries.js';
import { toTimestamp, toTimestampOrNull } from './to-json-response.js';

/** Outbound delivery of a notification to an endpoint. */
export type OutboundDeliveryView = {
  deliveryId: string;
  runId: string | null;
  elementId: string | null;
  endpointId: string;
  contentType: string;
  status: OutboundDeliveryStatus;
  held: boolean;
  attempts: number;
  statusCode: number | null;
  error: string | null;
  acceptedAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  endedAt: string | null;
};

export function toOutboundDeliveryView(record: OutboundDeliveryRecord): OutboundDeliveryView {
  const { acceptedAt, lastAttemptAt, nextAttemptAt, endedAt, ...rest } = record;
  return {
    ...rest,
    acceptedAt: toTimestamp(acceptedAt),
    lastAttemptAt: toTimestampOrNull(lastAttemptAt),
    nextAttemptAt: toTimestampOrNull(nextAttemptAt),
    endedAt: toTimestampOrNull(endedAt),
  };
}
