import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isOutboundHttpError, type OutboundStream } from '@countersign/core/plugin';
import { EventSplitter, EventTooLarge } from './event-splitter.js';
import { lostAnswer } from './lost-answer.js';
import { Pace } from './pace.js';
import type { PendingRequests, RequestId } from './pending-requests.js';
import {
  answerWithId,
  asMessage,
  errorWithoutId,
  isAnswerTo,
  isErrorWithoutId,
  messagesOf,
  parsed,
} from './read-message.js';
import { readEvent } from './server-event.js';

/**
 * Yields the events of a server's response to a request, up to the event with the response. The server should then
 * close the stream (MCP 2025-11-25, "Sending Messages to the Server"), but some do not. If no usable response arrives
 * and the stream cannot be resumed, an error response is created here, so that the caller does not wait in vain.
 *
 * @param id the id of the request
 * @param most maximum size of a message, in bytes
 * @throws if the stream breaks off and can be resumed
 */
export async function* answerEvents(
  stream: OutboundStream,
  id: RequestId,
  most: number,
  pending: PendingRequests,
): AsyncGenerator<Buffer> {
  const splitter = new EventSplitter(most);
  const pace = new Pace();
  let canResume = false;
  let failure: unknown;
  /** An error without an id. It counts only if nothing else arrives, because it may not belong to this request. */
  let refusal: JSONRPCMessage | undefined;
  try {
    for await (const chunk of stream.body) {
      for (const event of splitter.push(chunk)) {
        await pace.take(event.length);
        const { data, id: name } = readEvent(event.toString('utf8'));
        const messages = messagesOf(parsed(data));
        const answer = answerEvent(messages, id);
        if (answer !== undefined) {
          pending.end(id);
          return yield answer;
        }
        refusal ??= errorWithoutId(messages);
        for (const [index, each] of messages.entries()) {
          if (index > 0) await pace.take(0);
          const message = asMessage(each);
          // The SDK may take long to refuse an invalid message.
          if (message !== undefined && !isErrorWithoutId(message)) yield asEvent(message);
          if (!pending.isWaiting(id)) return;
        }
        if (name === undefined) continue;
        canResume = true;
        pending.remember(name, id);
        yield Buffer.from(`id: ${name}\ndata:\n\n`);
      }
    }
  } catch (error) {
    failure = error;
  } finally {
    stream.close();
  }
  if (!pending.isWaiting(id)) return;
  // A stream may break off, or end, between an event and the empty line after it.
  const last = splitter.end();
  const rest = last === undefined ? [] : messagesOf(parsed(readEvent(last.toString('utf8')).data));
  refusal ??= errorWithoutId(rest);
  const answer = answerEvent(rest, id) ?? (refusal === undefined ? undefined : asEvent({ ...refusal, id }));
  if (answer === undefined && canResume && !isTooLarge(failure)) {
    if (failure !== undefined) throw failure;
    return;
  }
  pending.end(id);
  yield answer ?? asEvent(lostAnswer(id, reasonOf(failure)));
}

/** Returns the event that responds to a request, regardless of the event's own name. */
function answerEvent(messages: readonly unknown[], id: RequestId): Buffer | undefined {
  const answer = answerWithId(messages, id);
  if (answer !== undefined) return asEvent(answer);
  const isBroken = messages.some((message) => isAnswerTo(message, id));
  return isBroken ? asEvent(lostAnswer(id, 'its response does not conform to MCP.')) : undefined;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof EventTooLarge || (isOutboundHttpError(error) && error.code === 'outbound_response_too_large');
}

function reasonOf(failure: unknown): string {
  if (failure === undefined) return 'the stream ended without a response.';
  return failure instanceof Error ? failure.message : String(failure);
}

/** Returns an event with a message. */
export function asEvent(message: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}
