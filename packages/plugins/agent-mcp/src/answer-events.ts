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
 * The events by which a server answers a request, up to the one that answers it: the server should close the stream behind
 * that (MCP 2025-11-25, "Sending Messages to the Server"), and some don't. Where no answer comes that can be taken, and the
 * stream can't be resumed, the request is answered here, as who waits for it would learn nothing else.
 *
 * @param id of the request
 * @param most bytes of one message
 * @throws where the stream breaks off and can be resumed
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
  /** An error that answers nothing by its id. It counts if nothing else comes: it may be about what was not asked here. */
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
          // The SDK may take long to refuse what is none.
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
  // A stream may break off, or end, between an event and the empty line behind it.
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

/** The event that answers a request, whatever the event with these messages is called. */
function answerEvent(messages: readonly unknown[], id: RequestId): Buffer | undefined {
  const answer = answerWithId(messages, id);
  if (answer !== undefined) return asEvent(answer);
  const isBroken = messages.some((message) => isAnswerTo(message, id));
  return isBroken ? asEvent(lostAnswer(id, 'it gave an answer that is not what MCP says.')) : undefined;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof EventTooLarge || (isOutboundHttpError(error) && error.code === 'outbound_response_too_large');
}

function reasonOf(failure: unknown): string {
  if (failure === undefined) return 'the stream ended without an answer.';
  return failure instanceof Error ? failure.message : String(failure);
}

/** One event with a message. */
export function asEvent(message: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}
