import { type JsonObject, type LoggerPort, type Redactor, RetryableFailure } from '@countersign/core/plugin';
import { Backoff } from './backoff.js';
import { isAnswer } from './call-failure.js';
import type { McpServerConfiguration } from './configuration.js';
import { Connection, type ConnectionWays } from './connection.js';
import { secretHider } from './hide-secrets.js';
import { HttpRefusal, isSessionEnd } from './http-refusal.js';
import type { ListedTools } from './list-tools.js';
import { programLog } from './program-log.js';
import { ProgramEnded } from './program-ended.js';
import { oneLine } from './visible-text.js';
import { abortable, pause } from './waiting.js';
import { whyNotConnected } from './why-not-connected.js';

/** A connection that has held so long did not fail from the start. */
const HELD_MS = 30_000;
const REFRESH_MS = 60_000;
/** A server that says all the time that its tools have changed is not asked all the time. */
const MIN_BETWEEN_LISTS_MS = 1_000;
/** Sessions that may end before one call is taken, with pauses in between. */
const MAX_SESSIONS = 8;
const FIRST_SESSION_PAUSE_MS = 50;

export interface McpServerParts extends ConnectionWays {
  readonly redactor: Pick<Redactor, 'json'>;
  readonly log: LoggerPort;
  /** Takes in what the server offers. */
  compare(server: McpServerConfiguration, listed: ListedTools): Promise<void>;
  /** What the server offers, nobody knows any more. */
  lose(server: string, problem: string): void;
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
   * Calls a tool, after what the server has said of its tools before was looked at. Where the session is over, the call was
   * surely not made: it is repeated in a new one.
   *
   * @param isStillRunning whether the tool may be called, as things are then
   * @throws {RetryableFailure} `mcp_server_unavailable` where it was surely not called
   */
  async call(
    tool: string,
    given: JsonObject,
    signal: AbortSignal,
    isStillRunning: () => Promise<void>,
  ): Promise<JsonObject> {
    for (let sessions = 1; ; sessions += 1) {
      const connection = await this.connected(signal);
      await isStillRunning();
      signal.throwIfAborted();
      if (!connection.isOpen && sessions < MAX_SESSIONS) continue;
      try {
        const result = await connection.callTool(tool, given, signal);
        this.#backoff.succeed();
        return result;
      } catch (error) {
        if (isAnswer(error)) this.#backoff.succeed();
        // Who says 400 to a new session as well means the call.
        const isOver = isSessionEnd(error) && (error.status !== 400 || sessions === 1);
        if (isOver) this.renew(connection);
        else if (error instanceof HttpRefusal && error.leadsNowhere) this.drop(connection, error.message);
        if (!isOver || sessions >= MAX_SESSIONS) throw error;
        if (sessions > 1) await pause(FIRST_SESSION_PAUSE_MS * 2 ** (sessions - 2), signal);
      }
    }
  }

  /** @throws {RetryableFailure} `mcp_server_unavailable` */
  private async connected(signal: AbortSignal): Promise<Connection> {
    if (this.#listing !== undefined) await abortable(this.#listing, signal);
    // What has failed once only may work at once: a program that ends between two calls, a session that is over.
    if (this.#connection?.isOpen !== true && (this.#opening !== undefined || !this.#backoff.isGrowing))
      await abortable(this.connect(), signal);
    const connection = this.#connection;
    if (connection?.isOpen === true) return connection;
    throw new RetryableFailure(
      'mcp_server_unavailable',
      `The MCP server "${this.name}" is not responding: ${this.#problem ?? 'the connection is closed.'}`,
      this.#backoff.remaining,
    );
  }

  /** The connection leads nowhere. */
  private drop(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.retire(connection, false);
    this.fail(reason);
  }

  /** The session is over, which is no failure: there is another one at once. */
  private renew(connection: Connection): void {
    if (this.#connection !== connection || this.#isStopped) return;
    this.#connection = undefined;
    this.#problem = 'Its session has ended, and a new one has not begun yet.';
    this.retire(connection, true);
    this.parts.log.info({ mcpServer: this.name }, 'The session with the MCP server has ended. A new one begins.');
    void this.connect();
  }

  private retire(connection: Connection, isOver: boolean): void {
    this.#retired.add(connection);
    void connection.retire(isOver).finally(() => this.#retired.delete(connection));
  }

  private connect(): Promise<void> {
    this.#opening ??= this.open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  private async open(): Promise<void> {
    if (this.#isStopped || this.#connection?.isOpen === true) return;
    const { log, now } = this.parts;
    const openedAt = now();
    let connection: Connection | undefined;
    try {
      connection = await Connection.open(this.configuration, this.parts, {
        onClose: () => {
          if (this.#connection !== connection) return;
          this.#connection = undefined;
          if (now() - openedAt >= HELD_MS) this.#backoff.succeed();
          const ended = connection?.ended;
          this.fail(ended?.message ?? connection?.exit ?? 'The connection has ended.', ended?.code);
        },
        onToolsChanged: () => this.list(),
        onError: (error) => log.debug({ mcpServer: this.name }, `The MCP server: ${oneLine(error.message)}`),
        ...programLog(this.configuration, this.#hide, this.parts),
      });
      if (this.#isStopped) return await connection.close();
      const listed = await connection.listTools();
      await this.parts.compare(this.configuration, listed);
      if (!connection.isOpen) throw new Error(connection.exit ?? 'The connection has ended.');
      this.#connection = connection;
      this.#lastListAt = now();
      this.#problem = undefined;
      log.info({ mcpServer: this.name, tools: listed.tools.length }, 'Connected to the MCP server.');
      this.schedule(REFRESH_MS, () => this.list());
    } catch (error) {
      await connection?.close();
      this.fail(whyNotConnected(error), error instanceof ProgramEnded ? error.code : undefined);
    }
  }

  /** Lists the tools again, once for all that ask for it meanwhile. */
  private list(): void {
    this.#mustList = true;
    this.#listing ??= this.listAll().finally(() => {
      this.#listing = undefined;
    });
  }

  private async listAll(): Promise<void> {
    while (this.#mustList && !this.#isStopped && this.#connection !== undefined) {
      const connection = this.#connection;
      await pause(this.#lastListAt + MIN_BETWEEN_LISTS_MS - this.parts.now(), this.#stopping.signal);
      this.#mustList = false;
      try {
        await this.parts.compare(this.configuration, await connection.listTools());
        this.#lastListAt = this.parts.now();
        this.#backoff.succeed();
        if (this.#connection === connection) this.schedule(REFRESH_MS, () => this.list());
      } catch (error) {
        if (isSessionEnd(error)) this.renew(connection);
        else this.drop(connection, whyNotConnected(error));
      }
    }
  }

  /** @param code of a reason that has one */
  private fail(reason: string, code?: string): void {
    const shown = oneLine(this.#hide([reason]));
    this.parts.lose(this.name, shown);
    this.#problem = shown;
    if (this.#isStopped) return;
    const wait = this.#backoff.fail();
    this.parts.log.warn(
      { mcpServer: this.name, ...(code === undefined ? {} : { code }), nextTryInMs: wait },
      `The MCP server is not responding: ${shown}`,
    );
    this.schedule(wait, () => void this.connect());
  }

  private schedule(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(work, milliseconds);
    this.#timer.unref();
  }
}
