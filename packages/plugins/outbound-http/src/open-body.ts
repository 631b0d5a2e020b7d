import type { IncomingMessage } from 'node:http';
import type { OutboundStream } from '@countersign/core/plugin';
import type { OutboundCall } from './outbound-call.js';
import { SecretRedactor } from './secrets.js';

/**
 * Opens the body of a response as a stream, with the secrets that were sent redacted. The call ends when the body ends.
 */
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
  const readRedacted = async function* (): AsyncGenerator<Buffer> {
    const redactor = new SecretRedactor(secretForms);
    try {
      for await (const chunk of chunks) {
        const redacted = redactor.push(chunk);
        if (redacted.length > 0) yield redacted;
      }
      // A response without a length ends normally when its connection ends, whichever side ended the connection.
      if (!isClosed && call.signal.aborted) throw call.toError(new Error('The call has ended.'));
      const rest = redactor.end();
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
  const redactedChunks = readRedacted();
  return {
    body: {
      [Symbol.asyncIterator]: () => ({
        next: () => redactedChunks.next(),
        return: (value: unknown) => {
          // Close explicitly, because without a previous read the generator does not run at all.
          close();
          return redactedChunks.return(value);
        },
      }),
    },
    close,
  };
}
