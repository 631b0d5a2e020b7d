import { type JsonObject, type LoggerPort, type Redactor, RetryableFailure } from '@countersign/core/plugin';
import { growingPause } from '@countersign/model';
import { Backoff } from './backoff.js';
import { isAnswer } from './call-failure.js';
import type { McpServerConfiguration } from './configuration.js';
import { connectTo, type KnownServer } from './connect-to.js';
import { type ConnectionEnd, connectionEnd, isRepeatable, isTimeout } from './connection-end.js';
import type { AcceptedTool, Connection, ConnectionWays } from './connection.js';
import { secretHider } from './hide-secrets.js';
import { HttpRefusal } from './http-refusal.js';
import type { ListedTools } from './list-tools.js';
import { ProgramEnded } from './program-ended.js';
import { said } from './said.js';
import { oneLine } from './visible-text.js';
import { abortable, pause } from './waiting.js';
import { whyNotConnected } from './why-not-connected.js';

/** A connection that lasted this long did not fail from the start. */
const HELD_MS = 30_000;
const REFRESH_MS = 60_000;
/** Maximum pause that a server can request. */
const LONGEST_REFRESH_MS = 600_000;
/** Minimum time between two lists, even if a server reports changes of its tools continuously. */
const MIN_BETWEEN_LISTS_MS = 1_000;
const NOT_COMPARED = 'Its tools could not be compared with the accepted tools.';
/** Pause after a list that could not be used. */
const LIST_AGAIN_MS = 5_000;
const FIRST_SESSION_PAUSE_MS = 50;
const LONGEST_SESSION_PAUSE_MS = 5_000;

export interface McpServerParts extends ConnectionWays {
  readonly redactor: Pick<Redactor, 'json'>;
  readonly log: LoggerPort;
  /** Compares the offered tools with the accepted ones, unless the connection that listed them is no longer in use. */
  compare(server: McpServerConfiguration, listed: ListedTools, isCurrent: () => boolean): Promise<void>;
  /** Discards the offers of a server, because they are no longer known. */
  lose(server: string, problem: string): void;
}

export interface ToolCallOnServer {
  /** The tool under the server's name for it. */
  readonly tool: AcceptedTool;
  readonly given: JsonObject;
  /** Whether the call can be repeated without harm. */
  readonly isRead: boolean;
}

interface Opened {
  readonly connection: Connection;
  readonly listed: ListedTools;
  readonly isCompared: boolean;
}

/** Keeps a connection to an MCP server, with pauses after failures, and tracks the current tools. */
export class McpServer {
  #connection: Connection | undefined;
  #problem: string | undefined = 'It has not responded yet.';
  #opening: Promise<void> | undefined;
  #listing: Promise<void> | undefined;
  #mustList = false;
  #lastListAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Connections that get no more calls, and wait for the responses to pending ones. */
  readonly #retired = new Set<Connection>();
  readonly #backoff: Backoff;
  readonly #known: KnownServer = {};
  readonly #hide: (texts: readonly string[]) => string;
  readonly #stopping = new AbortController();

  constructor(
    readonly configuration: McpServerConfiguration,
    private readonly parts: McpServerParts,
  ) {
    this.#backoff = new Backoff(parts.now);
    this.#hide = secretHider(configuration, parts.redactor);
  }

  get name(): string {
    return this.configuration.Name;
  }

  /** Why the server cannot be called; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Returns text of the server on one line and without secrets. Secrets are removed first, because one that is cut in
   * two is not found.
   */
  shown(text: string, most?: number): string {
    return oneLine(this.#hide([text]), most);
  }

  /** Connects for the first time; continues in the background after a failure. Waits at most the connect timeout. */
  async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.configuration.ConnectTimeout);
    });
    await Promise.race([this.connect(), late]);
    clearTimeout(timer);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#connection, ...this.#retired].map((connection) => connection?.close()));
    await this.#opening;
    // A connection may have been established in the meantime.
    await this.#connection?.close();
  }

  /**
   * Calls a tool, after any listing in progress. If the session is over, or the server has changed its kind, the call
   * was certainly not executed and is repeated on a new connection.
   *
   * @param isStillRunning throws if the tool may no longer be called
   * @throws {RetryableFailure} `mcp_server_unavailable` if the tool was certainly not called
   */
  async call(
    { tool, given, isRead }: ToolCallOnServer,
    signal: AbortSignal,
    isStillRunning: () => Promise<void>,
  ): Promise<JsonObject> {
    for (let ends = 1; ; ends += 1) {
      const connection = await this.connected(signal);
      await isStillRunning();
      signal.throwIfAborted();
      try {
        const result = await connection.callTool(tool, given, signal);
        this.#backoff.succeed();
        return result;
      } catch (error) {
        if (isAnswer(error) || (error instanceof HttpRefusal && error.isRefusal)) this.#backoff.succeed();
        const end = connectionEnd(error, connection.hasSession);
        if (end === undefined || !isRepeatable(error, end, ends, isRead)) {
          if (error instanceof HttpRefusal) this.afterRefusal(connection, error);
          else if (end !== undefined) this.renew(connection, end);
          throw error;
        }
        this.renew(connection, end);
        if (ends > 1) await pause(growingPause(ends - 1, FIRST_SESSION_PAUSE_MS, LONGEST_SESSION_PAUSE_MS), signal);
      }
    }
  }

  /**
   * Returns an open connection.
   *
   * @throws {RetryableFailure} `mcp_server_unavailable`
   */
  private async connected(signal: AbortSignal): Promise<Connection> {
    if (this.#listing !== undefined) await abortable(this.#listing, signal);
    // After only one failure, an immediate attempt may succeed: a program that ended between two calls, a session that
    // is over.
    if (this.#connection?.isOpen !== true && (this.#opening !== undefined || !this.#backoff.mustWait))
      await abortable(this.connect(), signal);
    const connection = this.#connection;
    if (connection?.isOpen === true) return connection;
    throw new RetryableFailure(
      'mcp_server_unavailable',
      `The MCP server "${this.name}" is not responding: ${this.#problem ?? 'the connection is closed.'}`,
      this.#backoff.remaining,
    );
  }

  private afterRefusal(connection: Connection, error: HttpRefusal): void {
    if (error.leadsNowhere && !(error.isSessionEnd && error.status === 404)) this.drop(connection, error);
  }

  /** Drops a connection that is useless. */
  private drop(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.retire(connection, false);
    this.fail(error);
  }

  /** Replaces a connection whose session is over, which is not a failure, immediately. */
  private renew(connection: Connection, { isOtherKind }: ConnectionEnd): void {
    if (this.#connection !== connection || this.#isStopped) return;
    if (isOtherKind) this.#known.era = undefined;
    this.#connection = undefined;
    this.retire(connection, true);
    this.parts.log.debug(
      { mcpServer: this.name },
      'starting a new session with the MCP server, because the previous session has ended',
    );
    void this.connect();
  }

  private retire(connection: Connection, isOver: boolean): void {
    this.#retired.add(connection);
    void connection.retire(isOver).finally(() => this.#retired.delete(connection));
  }

  /** Never rejects. */
  private connect(): Promise<void> {
    this.#opening ??= this.open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  private async open(): Promise<void> {
    if (this.#isStopped || this.#connection?.isOpen === true) return;
    const wasKnown = this.#problem === undefined;
    try {
      const { connection, listed, isCompared } = await this.opened();
      this.#connection = connection;
      this.#lastListAt = this.parts.now();
      if (!isCompared) return;
      this.#problem = undefined;
      this.parts.log[wasKnown ? 'debug' : 'info'](
        { mcpServer: this.name, tools: listed.tools.length },
        'connected to the MCP server',
      );
      this.schedule(REFRESH_MS, () => this.list());
      // The server announced changes while the connection was being established.
      if (this.#mustList) this.list();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens a connection and lists its tools. If the session ends before that is done, starts another one. */
  private async opened(): Promise<Opened> {
    for (let sessions = 1; ; sessions += 1) {
      const connection = await connectTo(this.configuration, this.parts, {
        hide: this.#hide,
        signal: this.#stopping.signal,
        onClose: (closed, error, heldMs) => {
          if (this.#connection !== closed) return;
          this.#connection = undefined;
          if (heldMs >= HELD_MS) this.#backoff.succeed();
          this.fail(error);
        },
        onToolsChanged: () => this.list(),
        known: this.#known,
      });
      try {
        const listed = await connection.listTools(this.#stopping.signal);
        const isCompared = await this.isCompared(listed, () => connection.isOpen);
        if (!connection.isOpen || this.#isStopped) throw new Error(connection.exit ?? 'The connection was closed.');
        return { connection, listed, isCompared };
      } catch (error) {
        await connection.close();
        const end = connectionEnd(error, connection.hasSession);
        if (end === undefined || !isRepeatable(error, end, sessions, true)) throw error;
        if (end.isOtherKind) this.#known.era = undefined;
        await pause(growingPause(sessions, FIRST_SESSION_PAUSE_MS, LONGEST_SESSION_PAUSE_MS), this.#stopping.signal);
      }
    }
  }

  /** Lists the tools again. Calls wait for the listing in progress only, not for later ones. */
  private list(): void {
    this.#mustList = true;
    if (this.#listing !== undefined || this.#connection === undefined || this.#isStopped) return;
    this.#listing = this.listOnce(this.#connection).finally(() => {
      this.#listing = undefined;
      if (this.#mustList) this.list();
    });
  }

  /** Never rejects. */
  private async listOnce(connection: Connection): Promise<void> {
    const isCurrent = (): boolean => this.#connection === connection;
    await pause(this.#lastListAt + MIN_BETWEEN_LISTS_MS - this.parts.now(), this.#stopping.signal);
    this.#mustList = false;
    try {
      const listed = await connection.listTools(this.#stopping.signal);
      if (!(await this.isCompared(listed, isCurrent)) || !isCurrent()) return;
      this.#backoff.succeed();
      this.#problem = undefined;
      this.schedule(REFRESH_MS, () => this.list());
    } catch (error) {
      if (isCurrent()) this.afterList(connection, error);
    } finally {
      if (isCurrent()) this.#lastListAt = this.parts.now();
    }
  }

  private afterList(connection: Connection, error: unknown): void {
    const end = connectionEnd(error, connection.hasSession);
    if (end !== undefined) this.renew(connection, end);
    else if (error instanceof HttpRefusal && error.isBusy)
      this.schedule(Math.min(Math.max(error.retryAfterMs ?? 0, REFRESH_MS), LONGEST_REFRESH_MS), () => this.list());
    // Many servers process only one request at a time.
    else if (connection.isBusy && isTimeout(error)) this.schedule(LIST_AGAIN_MS, () => this.list());
    else this.drop(connection, error);
  }

  /** Returns whether the list could be compared with the pins. A failure here is not the MCP server's fault. */
  private async isCompared(listed: ListedTools, isCurrent: () => boolean): Promise<boolean> {
    try {
      await this.parts.compare(this.configuration, listed, isCurrent);
      return true;
    } catch (error) {
      if (!isCurrent()) return false;
      this.#problem = NOT_COMPARED;
      this.parts.lose(this.name, NOT_COMPARED);
      this.parts.log.warn({ mcpServer: this.name, error: said(error), nextTryInMs: LIST_AGAIN_MS }, NOT_COMPARED);
      this.schedule(LIST_AGAIN_MS, () => this.list());
      return false;
    }
  }

  private fail(error: unknown): void {
    const reason = this.reason(error);
    this.parts.lose(this.name, reason);
    this.#problem = reason;
    if (this.#isStopped) return;
    const wait = this.#backoff.fail(error instanceof HttpRefusal ? error.retryAfterMs : undefined);
    this.parts.log.warn(
      { mcpServer: this.name, ...(error instanceof ProgramEnded ? { code: error.code } : {}), nextTryInMs: wait },
      `the MCP server is not responding: ${reason}`,
    );
    this.schedule(wait, () => void this.connect());
  }

  /** Returns the reason of a failure. Never throws, because the next attempt would then not be scheduled. */
  private reason(error: unknown): string {
    try {
      return this.shown(whyNotConnected(error));
    } catch {
      return 'Its response cannot be displayed.';
    }
  }

  private schedule(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(work, milliseconds);
    this.#timer.unref();
  }
}
