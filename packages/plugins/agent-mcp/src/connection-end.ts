import { ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isAnswer } from './call-failure.js';
import { HttpRefusal, namesSession } from './http-refusal.js';
import { said } from './said.js';

/** Sessions that may end before one call is taken, or while one is begun, with pauses in between. */
const MAX_SESSIONS = 8;

/** What a tool may say by itself, of a session that is its own. */
const OF_THE_CALL: ReadonlySet<number> = new Set([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidParams]);

/** How a server has ended a connection, so that the call was not looked at. */
export interface ConnectionEnd {
  /** Whether it may be a server of another kind by now: another revision, or sessions where there were none. */
  readonly isOtherKind: boolean;
  /** Whether it was said by the status that stands for it, of the session of MCP by name. */
  readonly isCertain: boolean;
}

/** @param hadSession whether the connection belongs to a session */
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
  // Some servers say it as the answer to the call.
  const isOver = hadSession && !OF_THE_CALL.has(error.code) && namesSession(said(error));
  return isOver ? { isOtherKind: false, isCertain: false } : undefined;
}

/**
 * Whether a call that found its connection ended is made again. Who says so of a connection that has only just begun may mean
 * something else: a gateway that finds no customer, a token that has run out, a session of the tool's own. So a write is made
 * again once, unless the server names the session of MCP; and not at all where a tool may have said so after its work.
 *
 * @param ends connections that have ended under this call
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
