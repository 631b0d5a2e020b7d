import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { RequestId } from './pending-requests.js';

/** What version 1 of the SDK says of itself, and with which code. */
const CLOSED = 'Connection closed';
const CLOSED_CODE = -32_000;
const TIMEOUT_CODE = -32_001;

/** An answer of our own to a request that gets no other one: nobody knows what came of it. */
export function lostAnswer(id: RequestId, reason: string): object {
  return { jsonrpc: '2.0', id, error: { code: CLOSED_CODE, message: `${CLOSED}: ${reason}` } };
}

/**
 * Whether an error says that the answer is lost. The SDK says so of itself, and proxies that use its version 1 hand that on. The
 * codes alone say nothing there: servers use them for anything.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof SdkError)
    return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.RequestTimeout;
  if (!(error instanceof ProtocolError)) return false;
  const { code, message } = error;
  return (
    (code === CLOSED_CODE && message.includes(CLOSED)) ||
    (code === TIMEOUT_CODE && /time(d |-)?out|timeout/i.test(message))
  );
}
