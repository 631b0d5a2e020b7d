import type { IncomingMessage } from 'node:http';
import type { OutboundStream } from '@countersign/core/plugin';
import type { Call } from './call.js';
import { SecretFilter } from './secrets.js';

/** Opens the body of a response that may stay open, with the sent secrets removed. The call ends with the body. */
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
  // There may be no reader when the time limit is reached.
  answer.on('error', () => undefined);
  const read = async function* (): AsyncGenerator<Buffer> {
    const filter = new SecretFilter(hidden);
    try {
      for await (const chunk of chunks) {
        const shown = filter.push(chunk);
        if (shown.length > 0) yield shown;
      }
      // A response without a length ends normally when its connection ends, whichever side ended the connection.
      if (!isClosed && call.signal.aborted) throw call.failure(new Error('The call has ended.'));
      const rest = filter.end();
      if (rest.length > 0) yield rest;
    } catch (error) {
      if (!isClosed) throw call.failure(error);
    } finally {
      end();
    }
  };
  const close = (): void => {
    isClosed = true;
    end();
  };
  const parts = read();
  return {
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => parts.next(),
        return: (value: unknown) => {
          // Close explicitly, because without a previous read the generator does not run at all.
          close();
          return parts.return(value);
        },
      }),
    },
    close,
  };
}
