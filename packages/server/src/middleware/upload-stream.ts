import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { refusal } from '../app/problem.js';
import { refuseReadBody } from './body-parsers.js';
import { CallerGoneError } from './read-body.js';

/** How long nothing may arrive. */
const IDLE_MS = 30_000;

/**
 * Gives the bytes of a request to somebody who reads them to the end. They are not the request itself, so that whoever
 * reads can destroy them without cutting the connection before the answer is out.
 *
 * @throws {ApiError} `request_timeout`, `body_already_read`; {CallerGoneError}; what `use` throws
 */
export async function uploadStream<T>(
  request: IncomingMessage,
  use: (content: Readable) => Promise<T>,
  idleMs = IDLE_MS,
): Promise<T> {
  refuseReadBody(request);
  const content = new PassThrough();
  // Whoever reads hears of an error by the read; before it begins and after it ended, nobody does.
  content.on('error', ignore);
  let broken: Error | undefined;
  const breakOff = (reason: Error): void => {
    broken ??= reason;
    content.destroy(reason);
  };
  const timer = setTimeout(() => breakOff(refusal('request_timeout', 'The body stopped arriving.')), idleMs);
  const onData = (): void => void timer.refresh();
  const onGone = (): void => {
    if (!request.complete && !request.readableEnded) breakOff(new CallerGoneError());
  };
  request.on('data', onData).on('close', onGone).on('error', onGone);
  // A body parser may have read that there is nothing.
  if (request.readableEnded) content.end();
  else request.pipe(content);
  // Whoever left already will not tell again.
  if (request.destroyed) onGone();
  try {
    return await use(content);
  } catch (error) {
    throw broken ?? error;
  } finally {
    clearTimeout(timer);
    request.off('data', onData).off('close', onGone).off('error', onGone);
    request.unpipe(content);
    content.destroy();
  }
}

function ignore(): void {
  // See above.
}
