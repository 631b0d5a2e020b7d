import { quote } from './error-message.js';

/** Hints for operators, by status. */
const HINTS: Readonly<Record<number, string>> = {
  401: ' Check its Token.',
  403: ' Check the permissions of its Token.',
  404: ' Check its Url.',
  405: ' Check its Url.',
};
/**
 * Statuses of a message that was not processed, or that may be sent again (RFC 9110, 15.4 and 15.5; RFC 6585, 4; RFC
 * 8470, 5.2).
 */
const NOT_PROCESSED_STATUSES: ReadonlySet<number> = new Set([307, 308, 401, 403, 421, 425, 429]);
/**
 * Statuses of a rejected token, or of a missing or moved resource. Gateways also use them for resources that a tool did
 * not find.
 */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([301, 302, 307, 308, 401, 404, 410]);
/** Client error statuses that do not show the outcome of the message. */
const UNKNOWN_OUTCOME_STATUSES: ReadonlySet<number> = new Set([404, 408, 410, 499]);
/**
 * The only texts that count as the end, or the absence, of the MCP session. A tool may have its own sessions, so no
 * other text is allowed, and an id must have the usual length of an MCP session id.
 */
const SESSION_END_PATTERN =
  /^(?:(?:bad request|not found|unauthorized|error|mcp error -?\d{1,6}): ){0,3}(?:no (?:valid |such |active )?(?:mcp[- ])?session(?:[- ]?id)?(?: (?:provided|found|exists))?|(?:invalid|unknown|expired|missing)(?: or (?:invalid|unknown|expired|missing))? (?:mcp[- ])?session(?:[- ]?id)?|(?:no transport found for|could not find) (?:mcp[- ])?session(?:[- ]?id)?|(?:mcp[- ])?session(?:[- ]?id)?(?: with id)?(?::?\s["'`(]?[\w.-]{16,128}["'`)]?)?,? (?:is |has |was |does |been |already |no longer ){0,3}(?:not (?:found|exist|active|initialized)|invalid|unknown|expired|ended|closed|terminated|required|found|exists?)(?: or (?:expired|invalid|not found|terminated))?|server not initialized)[.!]?$/i;
/** The name of the header that only MCP sessions use. */
const SESSION_HEADER_PATTERN = /\bmcp-session-id\b/i;
const UNSUPPORTED_REVISION_PATTERN =
  /^\s*(?:bad request: )?unsupported (?:mcp )?protocol[- ]version\b|\bmcp-protocol-version\b/i;

/** Maximum length of the text that is matched, in characters. */
const MAX_MATCHED_LENGTH = 1_000;

export interface RefusalContext {
  /** Whether the message belonged to a session. */
  readonly hadSession: boolean;
  /** The delay that the server requests before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Thrown when a server responds to a message with an error status and without a JSON-RPC response. */
export class HttpRefusal extends Error {
  readonly hadSession: boolean;
  readonly retryAfterMs: number | undefined;
  /** Whether the server reports the end of the MCP session. */
  readonly reportsSessionEnd: boolean;
  /** Whether the server reports that it does not support the revision of the connection. */
  readonly reportsUnsupportedRevision: boolean;

  /** @param responseText the text of the response */
  constructor(
    readonly status: number,
    responseText: string,
    { hadSession, retryAfterMs }: RefusalContext,
  ) {
    const hint = hadSession && status === 404 ? '' : (HINTS[status] ?? '');
    super(
      `It responded with status ${status}.${hint}${responseText === '' ? '' : ` Its message: ${quote(responseText)}`}`,
    );
    this.hadSession = hadSession;
    this.retryAfterMs = retryAfterMs;
    const matchedText = responseText.slice(0, MAX_MATCHED_LENGTH);
    this.reportsSessionEnd = isSessionEndMessage(matchedText);
    this.reportsUnsupportedRevision = UNSUPPORTED_REVISION_PATTERN.test(matchedText);
  }

  /** Whether the server certainly did not process the message: it refuses every message, or redirects it. */
  get wasNotProcessed(): boolean {
    const isSessionOver =
      this.isSessionEnd && (this.hadSession ? this.reportsSessionEnd : this.reportsUnsupportedRevision);
    return NOT_PROCESSED_STATUSES.has(this.status) || isSessionOver;
  }

  /** Whether the server processed and refused the message. */
  get isRefusal(): boolean {
    return (
      this.status >= 400 && this.status < 500 && !this.wasNotProcessed && !UNKNOWN_OUTCOME_STATUSES.has(this.status)
    );
  }

  /**
   * Whether the session is over (MCP 2025-11-25, "Session Management": 404). Servers that keep sessions in memory also
   * respond with 400, and some with 401. A server that requires a session or a different revision has been
   * replaced: it responds with 400, or with 404 if it requires a session.
   */
  get isSessionEnd(): boolean {
    const { hadSession, status } = this;
    if (status === 400) return this.reportsSessionEnd || this.reportsUnsupportedRevision;
    return hadSession ? status === 404 || status === 401 : status === 404 && this.reportsSessionEnd;
  }

  /** Whether the connection can no longer be used: the token is rejected, or the resource is missing or moved. */
  get isEndpointUnavailable(): boolean {
    return UNAVAILABLE_STATUSES.has(this.status);
  }

  /** Whether the server only requests a later retry. */
  get isBusy(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** Returns whether a text reports the end, or the absence, of the MCP session. */
export function isSessionEndMessage(text: string): boolean {
  return SESSION_END_PATTERN.test(text.trim()) || SESSION_HEADER_PATTERN.test(text);
}
