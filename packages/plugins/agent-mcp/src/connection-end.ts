import { ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isErrorResponse } from './call-error.js';
import { HttpRefusal, isSessionEndMessage } from './http-refusal.js';
import { errorMessage } from './error-message.js';

/** Maximum number of consecutive sessions that may end during one call, or while a connection is opened. */
const MAX_SESSIONS = 8;

/** Error codes that a tool may return about its own session. */
const CALL_ERROR_CODES: ReadonlySet<number> = new Set([
  ProtocolErrorCode.MethodNotFound,
  ProtocolErrorCode.InvalidParams,
]);

/** How a server ended a connection before it processed the call. */
export interface ConnectionEnd {
  /**
   * Whether the server may have been replaced: it requires a different revision, or a session that it did not
   * require before.
   */
  readonly hasServerChanged: boolean;
  /** Whether the server used the specified status and named the MCP session. */
  readonly isCertain: boolean;
}

/**
 * Returns how an error ended the connection; `undefined` if it did not.
 *
 * @param hadSession whether the connection belongs to a session
 */
export function toConnectionEnd(error: unknown, hadSession: boolean): ConnectionEnd | undefined {
  if (error instanceof HttpRefusal) {
    if (!error.isSessionEnd) return undefined;
    return {
      hasServerChanged: error.reportsUnsupportedRevision || !hadSession,
      isCertain: hadSession && error.status === 404 && error.reportsSessionEnd,
    };
  }
  if (!isErrorResponse(error)) return undefined;
  if (error.code === ProtocolErrorCode.UnsupportedProtocolVersion) return { hasServerChanged: true, isCertain: false };
  // Some servers report the end of the session in the response to the call.
  const isSessionOver = hadSession && !CALL_ERROR_CODES.has(error.code) && isSessionEndMessage(errorMessage(error));
  return isSessionOver ? { hasServerChanged: false, isCertain: false } : undefined;
}

/**
 * Returns whether a call is repeated after its connection has ended. On a new connection, the same error may mean
 * something else: a gateway that does not find the customer, an expired token, a session of the tool itself. A write is
 * therefore repeated once, or more often if the server names the MCP session, and never if a tool may have reported the
 * error after it was executed.
 *
 * @param endCount number of connections that have ended during this call
 */
export function canRepeatCall(
  error: unknown,
  { isCertain, hasServerChanged }: ConnectionEnd,
  endCount: number,
  isRead: boolean,
): boolean {
  if (!(error instanceof HttpRefusal)) return endCount === 1 && (isRead || hasServerChanged);
  return endCount === 1 || (error.status !== 401 && (isRead || isCertain) && endCount < MAX_SESSIONS);
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
