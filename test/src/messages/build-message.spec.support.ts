import type { MessageToPublish } from '@countersign/core';
import { randomUUID } from 'node:crypto';

/** Returns a message as a server stores it. */
export function buildMessage(messageName: string, correlationKey: string, publishedAt: number): MessageToPublish {
  const origin = { runId: null, actor: null, from: null, traceId: null };
  return {
    messageId: randomUUID(),
    messageName,
    correlationKey,
    payload: { left: 'behind' },
    origin,
    publishedAt,
    expiresAt: publishedAt + 3_600_000,
    fromOutbox: false,
  };
}
