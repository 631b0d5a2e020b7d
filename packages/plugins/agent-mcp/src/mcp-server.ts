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

/** A connection that has held so long did not fail from the start. */
const HELD_MS = 30_000;
const REFRESH_MS = 60_000;
/** However long a server wants to be left alone. */
const LONGEST_REFRESH_MS = 600_000;
/** A server that says all the time that its tools have changed is not asked all the time. */
const MIN_BETWEEN_LISTS_MS = 1_000;
const NOT_COMPARED = 'Its tools could not be compared with those that were accepted.';
/** After a list that could not be used. */
const LIST_AGAIN_MS = 5_000;
const FIRST_SESSION_PAUSE_MS = 50;
const LONGEST_SESSION_PAUSE_MS = 5_000;

export interface McpServerParts extends ConnectionWays {
  readonly redactor: Pick<Redactor, 'json'>;
  readonly log: LoggerPort;
  /** Takes in what the server offers, unless the connection that it was listed by is not in use any more. */
  compare(server: McpServerConfiguration, listed: ListedTools, isCurrent: () => boolean): Promise<void>;
  /** What the server offers, nobody knows any more. */
  lose(server: string, problem: string): void;
}

export interface ToolCallOnServer {
  /** With its name as the server has it. */
  readonly tool: AcceptedTool;
  readonly given: JsonObject;
  /** Whether it does no harm to make it twice. */
  readonly isRead: boolean;
}

interface Opened {
  readonly connection: Connection;
  readonly listed: ListedTools;
  readonly isCompared: boolean;
}

/** Keeps a connection to an MCP server, with pauses where that fails, and knows its tools as they are now. */
export class McpServer {
  #connection: Connection | undefined;
  #problem: string | undefined = 'It has not answered yet.';
  #opening: Promise<void> | undefined;
  #listing: Promise<void> | undefined;
  #mustList = false;
  #lastListAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Connections that get no more calls, and wait for the answers of those that they have. */
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

  /** Why it can't be called; `undefined`: it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** What the server says, on one line and without secrets. These are taken out first: one that is cut in two is not found. */
  shown(text: string, most?: number): string {
    return oneLine(this.#hide([text]), most);
  }

  /** Connects for the first time; goes on trying where that fails. Waits no longer than it may take. */
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
    // One that was being made, and has got through in the meantime.
    await this.#connection?.close();
  }

  /**
   * Calls a tool, after what the server has said of its tools before was looked at. Where the session is over, or the server
   * is one of another kind by now, the call was surely not made: it is repeated by a new connection.
   *
   * @param isStillRunning whether the tool may be called, as things are then
   * @throws {RetryableFailure} `mcp_server_unavailable` where it was surely not called
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

  /** @throws {RetryableFailure} `mcp_server_unavailable` */
  private async connected(signal: AbortSignal): Promise<Connection> {
    if (this.#listing !== undefined) await abortable(this.#listing, signal);
    // What has failed once only may work at once: a program that ends between two calls, a session that is over.
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

  /** The connection leads nowhere. */
  private drop(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.retire(connection, false);
    this.fail(error);
  }

  /** The session is over, which is no failure: there is another one at once. */
  private renew(connection: Connection, { isOtherKind }: ConnectionEnd): void {
    if (this.#connection !== connection || this.#isStopped) return;
    if (isOtherKind) this.#known.era = undefined;
    this.#connection = undefined;
    this.retire(connection, true);
    this.parts.log.debug({ mcpServer: this.name }, 'The session with the MCP server has ended. A new one begins.');
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
        'Connected to the MCP server.',
      );
      this.schedule(REFRESH_MS, () => this.list());
      // What it has announced while it was being connected to.
      if (this.#mustList) this.list();
    } catch (error) {
      this.fail(error);
    }
  }

  /** A connection whose tools are known. A session that ends while it is begun is begun again. */
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
        if (!connection.isOpen || this.#isStopped) throw new Error(connection.exit ?? 'The connection has ended.');
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

  /** Lists the tools again. Who calls meanwhile waits for the listing that goes on then, and for no other. */
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
    // Many a server does one thing at a time.
    else if (connection.isBusy && isTimeout(error)) this.schedule(LIST_AGAIN_MS, () => this.list());
    else this.drop(connection, error);
  }

  /** Whether the list could be compared with what is known. Where it could not, that is not the server's fault. */
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
      `The MCP server is not responding: ${reason}`,
    );
    this.schedule(wait, () => void this.connect());
  }

  /** Never throws, whatever was thrown: the next attempt would not come. */
  private reason(error: unknown): string {
    try {
      return this.shown(whyNotConnected(error));
    } catch {
      return 'It gave an answer that can’t be shown.';
    }
  }

  private schedule(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(work, milliseconds);
    this.#timer.unref();
  }
}
