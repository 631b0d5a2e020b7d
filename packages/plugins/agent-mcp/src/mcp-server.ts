import { type JsonObject, type LoggerPort, type Redactor, RetryableFailure } from '@countersign/core/plugin';
import type { McpServerConfiguration } from './configuration.js';
import { Connection, type ConnectionWays } from './connection.js';
import { ProgramEnded } from './program-ended.js';
import { stderrLog } from './stderr-log.js';
import { oneLine } from './visible-text.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A connection that has held so long did not fail from the start. */
const HELD_MS = 30_000;
const REFRESH_MS = 60_000;
/** A server that says all the time that its tools have changed is not asked all the time. */
const MIN_BETWEEN_LISTS_MS = 1_000;

export interface McpServerParts extends ConnectionWays {
  readonly redactor: Pick<Redactor, 'json'>;
  readonly log: LoggerPort;
  readonly now: () => number;
  /** Takes in what the server offers. */
  compare(server: McpServerConfiguration, listed: readonly JsonObject[]): Promise<void>;
  lose(server: string): void;
}

/** Keeps a connection to an MCP server, with pauses where that fails, and knows its tools as they are now. */
export class McpServer {
  #connection: Connection | undefined;
  #problem: string | undefined = 'It has not answered yet.';
  #opening: Promise<void> | undefined;
  #listing: Promise<void> | undefined;
  #mustList = false;
  #lastListAt = 0;
  #failures = 0;
  #retryAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #stopping = new AbortController();

  constructor(
    readonly configuration: McpServerConfiguration,
    private readonly parts: McpServerParts,
  ) {}

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
    await this.#connection?.close();
    await this.#opening;
    // One that was being made, and has got through in the meantime.
    await this.#connection?.close();
  }

  /**
   * Calls a tool, after what the server has said of its tools before was looked at.
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
    if (this.#listing !== undefined) await abortable(this.#listing, signal);
    const connection = this.#connection;
    if (connection === undefined || !connection.isOpen || this.#problem !== undefined) {
      const wait = Math.max(this.#retryAt - this.parts.now(), FIRST_PAUSE_MS);
      throw new RetryableFailure(
        'mcp_server_unavailable',
        `The MCP server "${this.name}" is not responding: ${this.#problem ?? 'the connection is closed.'}`,
        wait,
      );
    }
    await isStillRunning();
    signal.throwIfAborted();
    return connection.callTool(tool, given, signal);
  }

  /** The session is over, or the connection leads nowhere. */
  drop(reason: string): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    void connection.close();
    this.fail(reason);
  }

  private connect(): Promise<void> {
    this.#opening ??= this.open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  private async open(): Promise<void> {
    const { redactor, log, now } = this.parts;
    const secrets = Object.values(this.configuration.Env).map((secret) => secret.reveal());
    const openedAt = now();
    let connection: Connection | undefined;
    try {
      connection = await Connection.open(this.configuration, this.parts, {
        onClose: () => {
          if (this.#connection !== connection) return;
          this.#connection = undefined;
          if (now() - openedAt >= HELD_MS) this.#failures = 0;
          this.fail(connection?.ended?.message ?? 'The connection has ended.', connection?.ended?.code);
        },
        onToolsChanged: () => this.list(),
        onError: (error) => log.debug({ mcpServer: this.name }, `The MCP server: ${oneLine(error.message)}`),
        onStderr: stderrLog(this.name, secrets, redactor, log, now),
      });
      if (this.#isStopped) return await connection.close();
      const listed = await connection.listTools();
      await this.parts.compare(this.configuration, listed);
      if (!connection.isOpen) throw new Error('The connection has ended.');
      this.#connection = connection;
      this.#lastListAt = now();
      this.#problem = undefined;
      log.info({ mcpServer: this.name, tools: listed.length }, 'Connected to the MCP server.');
      this.schedule(REFRESH_MS, () => this.list());
    } catch (error) {
      await connection?.close();
      this.fail(
        error instanceof Error ? error.message : String(error),
        error instanceof ProgramEnded ? error.code : undefined,
      );
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
        if (this.#connection === connection) this.schedule(REFRESH_MS, () => this.list());
      } catch (error) {
        if (this.#connection === connection) this.drop(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** @param code of a reason that has one */
  private fail(reason: string, code?: string): void {
    this.parts.lose(this.name);
    const shown = oneLine(reason);
    this.#problem = shown;
    if (this.#isStopped) return;
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#retryAt = this.parts.now() + wait;
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

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
