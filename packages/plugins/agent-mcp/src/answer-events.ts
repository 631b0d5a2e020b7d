import { isOutboundHttpError, type OutboundStream } from '@countersign/core/plugin';
import { EventSplitter, EventTooLarge } from './event-splitter.js';
import { lostAnswer } from './lost-answer.js';
import { Pace } from './pace.js';
import type { PendingRequests, RequestId } from './pending-requests.js';
import { asMessage, isAnswerTo, parsed } from './read-message.js';
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
  let reason = 'the stream ended without an answer.';
  /** @returns what is passed on of an event */
  const take = (event: Buffer): Buffer | undefined => {
    const { data, id: name } = readEvent(event.toString('utf8'));
    if (name !== undefined) {
      canResume = true;
      pending.remember(name, id);
    }
    const given = parsed(data);
    const message = asMessage(given);
    if (!isAnswerTo(given, id)) {
      if (message !== undefined) return event;
      // What is none, the SDK may take long to refuse. It hears alone where the stream goes on.
      return name === undefined ? undefined : Buffer.from(`id: ${name}\ndata:\n\n`);
    }
    pending.end(id);
    // As an event that is heard, whatever it is called. Line ends are only between the parts of JSON.
    return message === undefined
      ? asEvent(lostAnswer(id, 'it gave an answer that is not what MCP says.'))
      : Buffer.from(`data: ${data.replaceAll('\n', ' ')}\n\n`);
  };
  try {
    for await (const chunk of stream.body) {
      for (const event of splitter.push(chunk)) {
        await pace.take(event.length);
        const passed = take(event);
        if (passed !== undefined) yield passed;
        if (!pending.isWaiting(id)) return;
      }
    }
    const last = splitter.end();
    const passed = last === undefined ? undefined : take(last);
    if (passed !== undefined && !pending.isWaiting(id)) return yield passed;
  } catch (error) {
    const isTooLarge =
      error instanceof EventTooLarge || (isOutboundHttpError(error) && error.code === 'outbound_response_too_large');
    if (canResume && !isTooLarge && pending.isWaiting(id)) throw error;
    canResume = false;
    reason = error instanceof Error ? error.message : String(error);
  } finally {
    stream.close();
  }
  if (canResume || !pending.isWaiting(id)) return;
  pending.end(id);
  yield asEvent(lostAnswer(id, reason));
}

/** One event with a message. */
export function asEvent(message: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}
