import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ERROR_CODES, problemType, type ErrorCode } from '@countersign/contract';

/** Responds to a request that Node.js could not parse, for which no Koa context exists. */
export function respondToBrokenRequest(error: Error, socket: Duplex): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timedOut = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const tooLarge = code === 'HPE_HEADER_OVERFLOW';
  const problem: ErrorCode = timedOut ? 'request_timeout' : 'malformed_request';
  const { title, retryable } = ERROR_CODES[problem];
  const status = timedOut ? 408 : tooLarge ? 431 : 400;
  const reason = timedOut ? 'Request Timeout' : tooLarge ? 'Request Header Fields Too Large' : 'Bad Request';
  const detail = timedOut
    ? 'The request did not arrive in time.'
    : tooLarge
      ? 'The headers are too large.'
      : 'The request is not valid HTTP.';
  const traceId = randomUUID();
  const body = JSON.stringify({
    type: problemType(problem),
    title,
    status,
    detail,
    code: problem,
    instance: null,
    traceId,
    retryable,
    errors: [],
  });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `X-Request-Id: ${traceId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
