import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/** Whether a request has a body: it says so in HTTP/1.1 (RFC 9112, 6), and goes on behind its headers in HTTP/2 (RFC 9113, 8.1). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  if (length !== undefined) return length !== '0';
  return request.httpVersionMajor >= 2
    ? !(request as unknown as Http2ServerRequest).stream.endAfterHeaders
    : request.headers['transfer-encoding'] !== undefined;
}
