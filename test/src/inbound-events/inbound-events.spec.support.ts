import {
  isApiError,
  ReceiveInboundEvent,
  type InboundEventInput,
  type InboundEventRecord,
  type ReceivedEvent,
} from '@countersign/core';
import { createHash, randomUUID } from 'node:crypto';
import type { MessageHost } from '../messages/messages.spec.support.js';

/** Delivers an event to a server. */
export function deliver(
  host: MessageHost,
  messageName: string,
  correlationKey: string,
  overrides: Partial<InboundEventInput> = {},
): Promise<ReceivedEvent> {
  const bodyDigest = createHash('sha256').update(randomUUID()).digest('hex');
  return host.server.host.get(ReceiveInboundEvent).receive({
    via: 'test',
    source: 'shop',
    idempotencyKey: randomUUID(),
    messageName,
    correlationKey,
    payload: {},
    bodyDigest,
    from: '192.0.2.1',
    traceId: null,
    ...overrides,
  });
}

export async function requireInboundEvent(host: MessageHost, eventId: string): Promise<InboundEventRecord> {
  const record = await host.storage.findInboundEvent(eventId);
  if (record === undefined) throw new Error(`No event ${eventId} was found.`);
  return record;
}

export async function getRejectionCode(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isApiError(error)) return error.code;
    throw error;
  }
  throw new Error('The request was not refused.');
}
