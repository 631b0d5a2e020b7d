/** What an operator can look at, by status. */
const HINTS: Readonly<Record<number, string>> = {
  401: 'Check its Token.',
  403: 'Check what its Token is for.',
  404: 'Check its Url.',
  405: 'Check its Url.',
};

/** A server has answered a message with a status that says that there is no answer. */
export class HttpRefusal extends Error {
  /** Whether the message belonged to a session. */
  readonly hadSession: boolean;
  /** When the server wants to be asked again, in milliseconds from then. */
  readonly retryAfterMs: number | undefined;

  /** @param said in the answer; bounded, and for one line */
  constructor(
    readonly status: number,
    said: string,
    { hadSession, retryAfterMs }: { readonly hadSession: boolean; readonly retryAfterMs: number | undefined },
  ) {
    const hint = hadSession ? undefined : HINTS[status];
    super(`It answered with status ${status}${said === '' ? '.' : `: ${said}`}${hint === undefined ? '' : ` ${hint}`}`);
    this.hadSession = hadSession;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Whether the server has not even looked at what was asked: it refuses such a message, or anybody's, or sends it elsewhere.
   * 408 says that it waited for more, so that nobody knows.
   */
  get isUnheard(): boolean {
    return this.status >= 300 && this.status < 500 && this.status !== 408;
  }

  /** Whether the session is over (MCP 2025-11-25, "Session Management": 404). Servers that keep it in memory say 400, too. */
  get isSessionEnd(): boolean {
    return this.hadSession && (this.status === 404 || this.status === 400);
  }

  /** Whether the connection leads nowhere: nobody is let in, or nothing is there. */
  get leadsNowhere(): boolean {
    return this.status < 400 || this.status === 401 || this.status === 404 || this.status === 410;
  }
}

export function isSessionEnd(error: unknown): error is HttpRefusal {
  return error instanceof HttpRefusal && error.isSessionEnd;
}
