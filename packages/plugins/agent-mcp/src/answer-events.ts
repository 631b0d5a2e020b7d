import type { OutboundStream } from '@countersign/core/plugin';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { EventSplitter } from './event-splitter.js';
import { Pace } from './pace.js';

/**
 * The events by which a server answers a request, up to the one that answers it: the server should close the stream behind
 * that (MCP 2025-11-25, "Sending Messages to the Server"), and some don't. Where none comes, and the stream can't be resumed,
 * the request is answered here, as who waits for it would learn nothing else.
 *
 * @param id of the request; `undefined` where it is not known, as of a stream that is resumed
 * @param most bytes of one message
 * @throws where the stream breaks off and can be resumed
 */
export async function* answerEvents(
  stream: OutboundStream,
  id: string | number | undefined,
  most: number,
): AsyncGenerator<Buffer> {
  const splitter = new EventSplitter(most);
  const pace = new Pace();
  let canResume = id === undefined;
  let reason = 'The stream ended without an answer.';
  try {
    for await (const chunk of stream.body) {
      for (const event of splitter.push(chunk)) {
        await pace.take(event.length);
        const text = event.toString('utf8');
        if (/^id:/m.test(text)) canResume = true;
        yield event;
        if (isAnswer(text, id)) return;
      }
    }
  } catch (error) {
    if (canResume) throw error;
    reason = error instanceof Error ? error.message : String(error);
  } finally {
    stream.close();
  }
  if (canResume) return;
  const error = { code: ErrorCode.ConnectionClosed, message: reason };
  yield Buffer.from(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`);
}

function isAnswer(event: string, id: string | number | undefined): boolean {
  if (!/"(result|error)"/.test(event)) return false;
  const data = event
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length));
  try {
    const message = JSON.parse(data.join('\n')) as { readonly id?: unknown; readonly method?: unknown } | null;
    return message?.id !== undefined && message.method === undefined && (id === undefined || message.id === id);
  } catch {
    return false;
  }
}
