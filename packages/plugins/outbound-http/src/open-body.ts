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
  const read = async function* (): AsyncGenerator<Buffer> {
    const filter = new SecretFilter(hidden);
    try {
      for await (const chunk of chunks) {
        const shown = filter.push(chunk);
        if (shown.length > 0) yield shown;
      }
      // An answer without a length ends as it should where its connection does, whoever has ended that.
      if (!isClosed && call.signal.aborted) throw call.failure(new Error('The call is over.'));
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
          // Also where nothing was read, so that nothing in there is run.
          close();
          return parts.return(value);
        },
      }),
    },
    close,
  };
}
