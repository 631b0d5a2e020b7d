import { ErrorCode, type McpError } from '@modelcontextprotocol/sdk/types.js';
import type { RequestId } from './pending-requests.js';

const CLOSED = 'Connection closed';

/** An answer of our own to a request that gets no other one: nobody knows what came of it. */
export function lostAnswer(id: RequestId, reason: string): object {
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.ConnectionClosed, message: `${CLOSED}: ${reason}` } };
}

/**
 * Whether an error says that the answer is lost. The SDK says so of itself, and proxies that use it hand it on. The codes alone
 * say nothing: servers use them for anything.
 */
export function isLost({ code, message }: McpError): boolean {
  return (
    (code === ErrorCode.ConnectionClosed && message.includes(CLOSED)) ||
    (code === ErrorCode.RequestTimeout && /time(d |-)?out|timeout/i.test(message))
  );
}
