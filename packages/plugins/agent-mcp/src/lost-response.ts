import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { RequestId } from './pending-requests.js';

/** Message and codes that version 1 of the SDK uses for its own errors. */
const CLOSED_MESSAGE = 'Connection closed';
const CLOSED_CODE = -32_000;
const TIMEOUT_CODE = -32_001;

/** Creates a response for a request whose response was lost, so that its outcome is unknown. */
export function createLostResponse(id: RequestId, reason: string): object {
  return { jsonrpc: '2.0', id, error: { code: CLOSED_CODE, message: `${CLOSED_MESSAGE}: ${reason}` } };
}

/**
 * Returns whether an error reports a lost response. The SDK creates such errors, and proxies that use version 1 of the
 * SDK forward them. Their codes alone are not sufficient, because servers use them for any error.
 */
export function isLostResponse(error: unknown): boolean {
  if (error instanceof SdkError)
    return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.RequestTimeout;
  if (!(error instanceof ProtocolError)) return false;
  const { code, message } = error;
  return (
    (code === CLOSED_CODE && message.includes(CLOSED_MESSAGE)) ||
    (code === TIMEOUT_CODE && /time(d |-)?out|timeout/i.test(message))
  );
}
