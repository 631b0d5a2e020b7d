import { quoted } from './said.js';

/** What an operator can look at, by status. */
const HINTS: Readonly<Record<number, string>> = {
  401: ' Check its Token.',
  403: ' Check what its Token is for.',
  404: ' Check its Url.',
  405: ' Check its Url.',
};
/** Statuses that say that the message was not looked at, or may be sent again (RFC 9110, 15.4 and 15.5; RFC 6585, 4; RFC 8470, 5.2). */
const NOT_PROCESSED: ReadonlySet<number> = new Set([307, 308, 401, 403, 421, 425, 429]);
/** Those by which nothing is there, or is elsewhere. Gateways say them of what a tool did not find, too. */
const NOWHERE: ReadonlySet<number> = new Set([301, 302, 307, 308, 401, 404, 410]);
/** Of the client's errors, those that tell nothing of what came of the message. */
const OPEN: ReadonlySet<number> = new Set([404, 408, 410, 499]);
/**
 * All that a server may say of the session of MCP that is over, or wanted. A tool may know sessions of its own, so nothing else
 * may be said, and an id must be as long as those of this protocol.
 */
const SESSION_OVER =
  /^(?:(?:bad request|not found|unauthorized|error|mcp error -?\d{1,6}): ){0,3}(?:no (?:valid |such |active )?(?:mcp[- ])?session(?:[- ]?id)?(?: (?:provided|found|exists))?|(?:invalid|unknown|expired|missing)(?: or (?:invalid|unknown|expired|missing))? (?:mcp[- ])?session(?:[- ]?id)?|(?:no transport found for|could not find) (?:mcp[- ])?session(?:[- ]?id)?|(?:mcp[- ])?session(?:[- ]?id)?(?: with id)?(?::?\s["'`(]?[\w.-]{16,128}["'`)]?)?,? (?:is |has |was |does |been |already |no longer ){0,3}(?:not (?:found|exist|active|initialized)|invalid|unknown|expired|ended|closed|terminated|required|found|exists?)(?: or (?:expired|invalid|not found|terminated))?|server not initialized)[.!]?$/i;
/** The header that only the session of MCP has. */
const SESSION_HEADER = /\bmcp-session-id\b/i;
const OTHER_REVISION = /^\s*(?:bad request: )?unsupported (?:mcp )?protocol[- ]version\b|\bmcp-protocol-version\b/i;

/** Of what is said, in characters. */
const MAX_LOOKED_AT = 1_000;

export interface RefusalContext {
  /** Whether the message belonged to a session. */
  readonly hadSession: boolean;
  /** When the server wants to be asked again, in milliseconds from then. */
  readonly retryAfterMs: number | undefined;
}

/** A server has answered a message with a status that says that there is no answer. */
export class HttpRefusal extends Error {
  readonly hadSession: boolean;
  readonly retryAfterMs: number | undefined;
  /** Whether the server says that the session of MCP is over. */
  readonly namesSession: boolean;
  /** Whether the server says that it does not speak the revision of the connection. */
  readonly namesRevision: boolean;

  /** @param said in the answer */
  constructor(
    readonly status: number,
    said: string,
    { hadSession, retryAfterMs }: RefusalContext,
  ) {
    const hint = hadSession && status === 404 ? '' : (HINTS[status] ?? '');
    super(`It answered with status ${status}.${hint}${said === '' ? '' : ` It said: ${quoted(said)}`}`);
    this.hadSession = hadSession;
    this.retryAfterMs = retryAfterMs;
    const lookedAt = said.slice(0, MAX_LOOKED_AT);
    this.namesSession = namesSession(lookedAt);
    this.namesRevision = OTHER_REVISION.test(lookedAt);
  }

  /** Whether the server has surely not looked at what was asked: it refuses anybody's message, or sends it elsewhere. */
  get wasNotProcessed(): boolean {
    const isOver = this.isSessionEnd && (this.hadSession ? this.namesSession : this.namesRevision);
    return NOT_PROCESSED.has(this.status) || isOver;
  }

  /** Whether the server has looked at the message, and refuses it. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && !this.wasNotProcessed && !OPEN.has(this.status);
  }

  /**
   * Whether the session is over (MCP 2025-11-25, "Session Management": 404). Servers that keep it in memory say 400, too, and
   * some ask who is there (401). A server that wants a session, or another revision, is another one than it was: it says 400.
   */
  get isSessionEnd(): boolean {
    const { hadSession, status } = this;
    if (status === 400) return this.namesSession || this.namesRevision;
    return hadSession ? status === 404 || status === 401 : status === 404 && this.namesSession;
  }

  /** Whether the connection leads nowhere: nobody is let in, or nothing is there. */
  get leadsNowhere(): boolean {
    return NOWHERE.has(this.status);
  }

  /** Whether it only wants to be asked later. */
  get isBusy(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** Whether a server says that the session of MCP is over, and nothing else. */
export function namesSession(said: string): boolean {
  return SESSION_OVER.test(said.trim()) || SESSION_HEADER.test(said);
}
