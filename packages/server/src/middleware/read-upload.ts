import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { createRefusal } from '../app/problem.js';
import { refuseReadBody } from './body-parser-detector.js';
import { ClientDisconnectedError } from './read-body.js';

/** Maximum time without data, in ms. */
const IDLE_MS = 30_000;

/**
 * Passes the bytes of a request to a consumer that reads them to the end. The stream is separate from the request, so
 * that the consumer can destroy it without closing the connection before the response is sent.
 *
 * @throws {ApiError} `request_timeout`, `body_already_read`
 * @throws {ClientDisconnectedError} if the caller closes the connection
 * @throws errors of `consume`
 */
export async function readUpload<T>(
  request: IncomingMessage,
  consume: (content: Readable) => Promise<T>,
  idleMs = IDLE_MS,
): Promise<T> {
  refuseReadBody(request);
  const content = new PassThrough();
  // The consumer receives the error when it reads. Before and after that, this listener prevents an unhandled error.
  content.on('error', ignore);
  let abortReason: Error | undefined;
  const abort = (reason: Error): void => {
    abortReason ??= reason;
    content.destroy(reason);
  };
  const timer = setTimeout(() => abort(createRefusal('request_timeout', 'The body stopped arriving.')), idleMs);
  const onData = (): void => void timer.refresh();
  const onDisconnect = (): void => {
    if (!request.complete && !request.readableEnded) abort(new ClientDisconnectedError());
  };
  request.on('data', onData).on('close', onDisconnect).on('error', onDisconnect);
  // A body parser may have read an empty body.
  if (request.readableEnded) content.end();
  else request.pipe(content);
  // A closed request emits no further `close` event.
  if (request.destroyed) onDisconnect();
  try {
    return await consume(content);
  } catch (error) {
    throw abortReason ?? error;
  } finally {
    clearTimeout(timer);
    request.off('data', onData).off('close', onDisconnect).off('error', onDisconnect);
    request.unpipe(content);
    content.destroy();
  }
}

function ignore(): void {
  // The consumer receives errors when it reads.
}
