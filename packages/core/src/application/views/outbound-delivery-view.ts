import type { OutboundDeliveryRecord, OutboundDeliveryStatus } from '../../ports/outbound-deliveries.js';
import { timestamp, timestampOrNull } from './as-response.js';

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

export function outboundDeliveryView(record: OutboundDeliveryRecord): OutboundDeliveryView {
  const { acceptedAt, lastAttemptAt, nextAttemptAt, endedAt, ...rest } = record;
  return {
    ...rest,
    acceptedAt: timestamp(acceptedAt),
    lastAttemptAt: timestampOrNull(lastAttemptAt),
    nextAttemptAt: timestampOrNull(nextAttemptAt),
    endedAt: timestampOrNull(endedAt),
  };
}
