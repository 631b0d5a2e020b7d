import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isOutboundHttpError, type OutboundStream } from '@countersign/core/plugin';
import { EventSplitter, EventTooLargeError } from './event-splitter.js';
import { createLostResponse } from './lost-response.js';
import { EventThrottle } from './event-throttle.js';
import type { PendingRequests, RequestId } from './pending-requests.js';
import {
  findResponse,
  toMessage,
  findErrorWithoutId,
  isResponseTo,
  isErrorWithoutId,
  toMessages,
  tryParseJson,
} from './read-message.js';
import { parseEvent } from './server-event.js';

/**
 * Yields the events of a server's response to a request, up to the event with the response. The server should then
 * close the stream (MCP 2025-11-25, "Sending Messages to the Server"), but some do not. If no usable response arrives
 * and the stream cannot be resumed, an error response is created here, so that the caller does not wait forever.
 *
 * @param id the id of the request
 * @param maxBytes maximum size of a message, in bytes
 * @throws the error of the stream if it breaks off and can be resumed
 */
export async function* readResponseEvents(
  stream: OutboundStream,
  id: RequestId,
  maxBytes: number,
  pending: PendingRequests,
): AsyncGenerator<Buffer> {
  const splitter = new EventSplitter(maxBytes);
  const throttle = new EventThrottle();
  let canResume = false;
  let failure: unknown;
  /** An error without an id. It counts only if no response arrives, because it may not belong to this request. */
  let unmatchedError: JSONRPCMessage | undefined;
  try {
    for await (const chunk of stream.body) {
      for (const event of splitter.push(chunk)) {
        await throttle.take(event.length);
        const { data, id: eventId } = parseEvent(event.toString('utf8'));
        const messages = toMessages(tryParseJson(data));
        const response = findResponseEvent(messages, id);
        if (response !== undefined) {
          pending.end(id);
          return yield response;
        }
        unmatchedError ??= findErrorWithoutId(messages);
        for (const [index, each] of messages.entries()) {
          if (index > 0) await throttle.take(0);
          const message = toMessage(each);
          // The SDK may take a long time to refuse an invalid message.
          if (message !== undefined && !isErrorWithoutId(message)) yield toEvent(message);
          if (!pending.isPending(id)) return;
        }
        if (eventId === undefined) continue;
        canResume = true;
        pending.rememberEvent(eventId, id);
        yield Buffer.from(`id: ${eventId}\ndata:\n\n`);
      }
    }
  } catch (error) {
    failure = error;
  } finally {
    stream.close();
  }
  if (!pending.isPending(id)) return;
  // A stream may break off, or end, between an event and the empty line after it.
  const lastEvent = splitter.end();
  const rest = lastEvent === undefined ? [] : toMessages(tryParseJson(parseEvent(lastEvent.toString('utf8')).data));
  unmatchedError ??= findErrorWithoutId(rest);
  const responseEvent =
    findResponseEvent(rest, id) ?? (unmatchedError === undefined ? undefined : toEvent({ ...unmatchedError, id }));
  if (responseEvent === undefined && canResume && !isTooLarge(failure)) {
    if (failure !== undefined) throw failure;
    return;
  }
  pending.end(id);
  yield responseEvent ?? toEvent(createLostResponse(id, failureReason(failure)));
}

/** Returns an event with the response to a request; `undefined` if the messages contain no response. */
function findResponseEvent(messages: readonly unknown[], id: RequestId): Buffer | undefined {
  const response = findResponse(messages, id);
  if (response !== undefined) return toEvent(response);
  const isBroken = messages.some((message) => isResponseTo(message, id));
  return isBroken ? toEvent(createLostResponse(id, 'its response does not conform to MCP.')) : undefined;
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof EventTooLargeError || (isOutboundHttpError(error) && error.code === 'outbound_response_too_large')
  );
}

function failureReason(failure: unknown): string {
  if (failure === undefined) return 'the stream ended without a response.';
  return failure instanceof Error ? failure.message : String(failure);
}

/** Returns an event with a message. */
export function toEvent(message: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}
