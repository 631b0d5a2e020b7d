import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/**
 * Returns whether a request has a body: in HTTP/1.1 by its headers (RFC 9112, 6), in HTTP/2 if the stream continues
 * after the headers (RFC 9113, 8.1).
 */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  if (length !== undefined) return length !== '0';
  return request.httpVersionMajor >= 2
    ? !(request as unknown as Http2ServerRequest).stream.endAfterHeaders
    : request.headers['transfer-encoding'] !== undefined;
}
