import { ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isAnswer } from './call-failure.js';
import { HttpRefusal } from './http-refusal.js';
import { said } from './said.js';

/** Sessions that may end before one call is taken, or while one is begun, with pauses in between. */
const MAX_SESSIONS = 8;

/** What a tool may say by itself, of a session that is its own. */
const OF_THE_CALL: ReadonlySet<number> = new Set([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidParams]);
/** An error that says nothing but that the session is over. */
const SESSION_ALONE =
  /^(?:mcp error -?\d+: )?(?:(?:bad request|not found|error): )?(?:(?:no (?:valid |such |active )?|invalid |unknown |expired )(?:mcp[- ])?session\b|(?:mcp[- ])?session(?:[- ]?id)?(?: with id)?(?:\s["'`(]?[\w.:-]{1,128}["'`)]?)?\s(?:is |has |was |does |been |already ){0,3}(?:not (?:found|exist|active|initialized)|invalid|unknown|expired|ended|closed|terminated)\b|server not initialized\b)/i;
const OTHER_REVISION = /^(?:mcp error -?\d+: )?(?:bad request: )?unsupported (?:mcp )?protocol[- ]version\b/i;

/** How a server has ended a connection, so that the call was not looked at. */
export interface ConnectionEnd {
  /** Whether it may be a server of another kind by now: another revision, or sessions where there were none. */
  readonly isOtherKind: boolean;
  /** Whether the server has surely said so of the session of MCP, however often. */
  readonly isCertain: boolean;
}

/** @param hadSession whether the connection belongs to a session */
export function connectionEnd(error: unknown, hadSession: boolean): ConnectionEnd | undefined {
  if (error instanceof HttpRefusal) {
    if (!error.isSessionEnd) return undefined;
    return { isOtherKind: error.namesRevision || !hadSession, isCertain: hadSession && error.namesSession };
  }
  if (!isAnswer(error)) return undefined;
  const message = said(error);
  const isOtherKind =
    error.code === ProtocolErrorCode.UnsupportedProtocolVersion ||
    (!OF_THE_CALL.has(error.code) && OTHER_REVISION.test(message));
  if (isOtherKind) return { isOtherKind, isCertain: false };
  // Some servers say it as the answer to the call.
  const isOver = hadSession && !OF_THE_CALL.has(error.code) && SESSION_ALONE.test(message);
  return isOver ? { isOtherKind: false, isCertain: false } : undefined;
}

/**
 * Whether a call that found its connection ended is made again. Who says so of a connection that has only just begun may mean
 * something else: a gateway that finds no customer, a token that has run out, a session of the tool's own. So a write is made
 * again once, unless the server names the session of MCP.
 *
 * @param ends connections that have ended under this call
 */
export function isRepeatable(error: unknown, { isCertain }: ConnectionEnd, ends: number, isRead: boolean): boolean {
  if (ends === 1) return true;
  return error instanceof HttpRefusal && error.status !== 401 && (isRead || isCertain) && ends < MAX_SESSIONS;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}
