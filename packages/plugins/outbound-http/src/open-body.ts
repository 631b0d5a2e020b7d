import type { IncomingMessage } from 'node:http';
import type { OutboundStream } from '@countersign/core/plugin';
import type { Call } from './call.js';
import { SecretFilter } from './secrets.js';

/** The body of an answer that may stay open, without the secrets that were sent. The call ends with it. */
export function openBody(
  answer: IncomingMessage,
  chunks: AsyncIterable<Buffer>,
  hidden: readonly string[],
  call: Call,
): Pick<OutboundStream, 'body' | 'close'> {
  let isClosed = false;
  const end = (): void => {
    call.end();
    answer.destroy();
  };
  // Nobody may be reading when the time is over.
  answer.on('error', () => undefined);
  answer.on('close', () => call.end());
  const read = async function* (): AsyncGenerator<Buffer> {
    const filter = new SecretFilter(hidden);
    try {
      for await (const chunk of chunks) {
        const shown = filter.push(chunk);
        if (shown.length > 0) yield shown;
      }
      const rest = filter.end();
      if (rest.length > 0) yield rest;
    } catch (error) {
      if (!isClosed) throw call.failure(error);
    } finally {
      end();
    }
  };
  return {
    body: read(),
    close: () => {
      isClosed = true;
      end();
    },
  };
}
