import { ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isAnswer } from './call-failure.js';
import { HttpRefusal, namesSession } from './http-refusal.js';
import { said } from './said.js';

/** Maximum number of sessions that may end before one call is accepted, or during its start, with pauses in between. */
const MAX_SESSIONS = 8;

/** Error codes that a tool may return about its own session. */
const OF_THE_CALL: ReadonlySet<number> = new Set([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidParams]);

/** How a server ended a connection before it processed the call. */
export interface ConnectionEnd {
  /** Whether the server may have changed: another revision, or sessions where there were none. */
  readonly isOtherKind: boolean;
  /** Whether the server used the specified status and named the MCP session. */
  readonly isCertain: boolean;
}

/**
 * Returns how an error ended the connection; `undefined` if it did not.
 *
 * @param hadSession whether the connection belongs to a session
 */
export function connectionEnd(error: unknown, hadSession: boolean): ConnectionEnd | undefined {
  if (error instanceof HttpRefusal) {
    if (!error.isSessionEnd) return undefined;
    return {
      isOtherKind: error.namesRevision || !hadSession,
      isCertain: hadSession && error.status === 404 && error.namesSession,
    };
  }
  if (!isAnswer(error)) return undefined;
  if (error.code === ProtocolErrorCode.UnsupportedProtocolVersion) return { isOtherKind: true, isCertain: false };
  // Some servers report it in the response to the call.
  const isOver = hadSession && !OF_THE_CALL.has(error.code) && namesSession(said(error));
  return isOver ? { isOtherKind: false, isCertain: false } : undefined;
}

/**
 * Returns whether a call is repeated after its connection has ended. On a new connection, the same error may mean
 * something else: a gateway that does not find the customer, an expired token, a session of the tool itself. A write is
 * therefore repeated once, or more often if the server names the MCP session, and never if a tool may have reported the
 * error after its work.
 *
 * @param ends number of connections that have ended during this call
 */
export function isRepeatable(
  error: unknown,
  { isCertain, isOtherKind }: ConnectionEnd,
  ends: number,
  isRead: boolean,
): boolean {
  if (!(error instanceof HttpRefusal)) return ends === 1 && (isRead || isOtherKind);
  return ends === 1 || (error.status !== 401 && (isRead || isCertain) && ends < MAX_SESSIONS);
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
