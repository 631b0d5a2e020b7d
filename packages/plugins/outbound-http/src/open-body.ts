import type { IncomingMessage } from 'node:http';
import type { OutboundStream } from '@countersign/core/plugin';
import type { OutboundCall } from './outbound-call.js';
import { SecretFilter } from './secrets.js';

/** Opens the body of a response as a stream, with the secrets that were sent redacted. The call ends when the body ends. */
export function openBody(
  response: IncomingMessage,
  chunks: AsyncIterable<Buffer>,
  secretForms: readonly string[],
  call: OutboundCall,
): Pick<OutboundStream, 'body' | 'close'> {
  let isClosed = false;
  const end = (): void => {
    call.end();
    response.destroy();
  };
  // Ignore errors here, because there may be no reader when the time limit is reached.
  response.on('error', () => undefined);
  const readFiltered = async function* (): AsyncGenerator<Buffer> {
    const filter = new SecretFilter(secretForms);
    try {
      for await (const chunk of chunks) {
        const filtered = filter.push(chunk);
        if (filtered.length > 0) yield filtered;
      }
      // A response without a length ends normally when its connection ends, whichever side ended the connection.
      if (!isClosed && call.signal.aborted) throw call.toError(new Error('The call has ended.'));
      const rest = filter.end();
      if (rest.length > 0) yield rest;
    } catch (error) {
      if (!isClosed) throw call.toError(error);
    } finally {
      end();
    }
  };
  const close = (): void => {
    isClosed = true;
    end();
  };
  const filteredChunks = readFiltered();
  return {
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => filteredChunks.next(),
        return: (value: unknown) => {
          // Close explicitly, because without a previous read the generator does not run at all.
          close();
          return filteredChunks.return(value);
        },
      }),
    },
    close,
  };
}
