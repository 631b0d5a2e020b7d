import type { IncomingMessage } from 'node:http';

/** Whether a request says that it has a body (RFC 9112, 6). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
