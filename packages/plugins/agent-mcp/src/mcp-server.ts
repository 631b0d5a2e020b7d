import { type JsonObject, type LoggerPort, type Redactor, RetryableFailure } from '@countersign/core/plugin';
import { computeExponentialBackoffMs } from '@countersign/model';
import { Backoff } from './backoff.js';
import { isErrorResponse } from './call-error.js';
import type { McpServerConfiguration } from './configuration.js';
import { connectToServer, type KnownServer } from './connect-to-server.js';
import { type ConnectionEnd, toConnectionEnd, canRepeatCall, isTimeout } from './connection-end.js';
import type { AcceptedTool, Connection, ConnectionDependencies } from './connection.js';
import { createServerRedactor } from './server-redactor.js';
import { HttpRefusal } from './http-refusal.js';
import type { ListedTools } from './read-tool-pages.js';
import { ProgramTerminatedError } from './program-errors.js';
import { errorMessage } from './error-message.js';
import { toSingleLine } from './escape-hidden-characters.js';
import { waitUnlessAborted, pause } from './pause.js';
import { describeConnectionProblem } from './describe-connection-problem.js';

/** Minimum duration of a stable connection: the end of such a connection resets the backoff. */
const STABLE_AFTER_MS = 30_000;
const REFRESH_MS = 60_000;
/** Maximum pause between two listings of the tools that a server can request. */
const MAX_REFRESH_MS = 600_000;
/** Minimum time between two listings, even if a server reports changes of its tools continuously. */
const MIN_BETWEEN_LISTS_MS = 1_000;
const COMPARISON_FAILED = 'Its tools could not be compared with the accepted tools.';
/** Pause after a listing that timed out, or whose tools could not be compared. */
const RETRY_LIST_MS = 5_000;
const MIN_SESSION_PAUSE_MS = 50;
const MAX_SESSION_PAUSE_MS = 5_000;

export interface McpServerDependencies extends ConnectionDependencies {
  readonly redactor: Pick<Redactor, 'redactJson'>;
  readonly log: LoggerPort;
  /**
   * Compares the offered tools with the accepted ones: pins new tools, and stops changed ones. Replaces the known
   * offers only if the connection that listed them is still in use.
   */
  reconcile(server: McpServerConfiguration, listed: ListedTools, isCurrent: () => boolean): Promise<void>;
  /** Discards the offers of a server, because its current offers are unknown. */
  discardOffers(server: string, problem: string): void;
}

export interface ServerToolCall {
  /** The tool, with its name on the server. */
  readonly tool: AcceptedTool;
  readonly args: JsonObject;
  /** Whether the call can be repeated without harm. */
  readonly isRead: boolean;
}

interface OpenedConnection {
  readonly connection: Connection;
  readonly listed: ListedTools;
  readonly isReconciled: boolean;
}

/** Maintains the connection to an MCP server, with pauses after failures, and tracks the current tools. */
export class McpServer {
  #connection: Connection | undefined;
  #problem: string | undefined = 'It has not responded yet.';
  #openPromise: Promise<void> | undefined;
  #listPromise: Promise<void> | undefined;
  #mustList = false;
  #lastListAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Connections that get no more calls, and wait for the responses to pending ones. */
  readonly #retiredConnections = new Set<Connection>();
  readonly #backoff: Backoff;
  readonly #knownServer: KnownServer = {};
  readonly #redactLast: (texts: readonly string[]) => string;
  readonly #stopController = new AbortController();

  constructor(
    readonly configuration: McpServerConfiguration,
    private readonly dependencies: McpServerDependencies,
  ) {
    this.#backoff = new Backoff(dependencies.now);
    this.#redactLast = createServerRedactor(configuration, dependencies.redactor);
  }

  get name(): string {
    return this.configuration.Name;
  }

  /** Why the server cannot be called; `undefined` if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Returns text of the server on one line and without secrets. Secrets are removed before the text is truncated,
   * because a truncated secret would not be found.
   */
  toDisplayText(text: string, maxLength?: number): string {
    return toSingleLine(this.#redactLast([text]), maxLength);
  }

  /** Connects for the first time; continues in the background after a failure. Waits at most the connect timeout. */
  async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.configuration.ConnectTimeout);
    });
    await Promise.race([this.connect(), timeout]);
    clearTimeout(timer);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopController.abort();
    clearTimeout(this.#timer);
    await Promise.all([this.#connection, ...this.#retiredConnections].map((connection) => connection?.close()));
    await this.#openPromise;
    // A connection may have been established in the meantime.
    await this.#connection?.close();
  }

  /**
   * Calls a tool, after any listing in progress. If the session is over, or the server was replaced, the call is
   * repeated on a new connection, provided that `canRepeatCall` allows it.
   *
   * @param assertStillUsable throws if the tool may no longer be called
   * @throws {RetryableFailure} `mcp_server_unavailable` if the tool was certainly not called
   */
  async call(
    { tool, args, isRead }: ServerToolCall,
    signal: AbortSignal,
    assertStillUsable: () => Promise<void>,
  ): Promise<JsonObject> {
    for (let endCount = 1; ; endCount += 1) {
      const connection = await this.requireConnection(signal);
      await assertStillUsable();
      signal.throwIfAborted();
      try {
        const result = await connection.callTool(tool, args, signal);
        this.#backoff.recordSuccess();
        return result;
      } catch (error) {
        if (isErrorResponse(error) || (error instanceof HttpRefusal && error.isRefusal)) this.#backoff.recordSuccess();
        const end = toConnectionEnd(error, connection.hasSession);
        if (end === undefined || !canRepeatCall(error, end, endCount, isRead)) {
          if (error instanceof HttpRefusal) this.handleRefusal(connection, error);
          else if (end !== undefined) this.renew(connection, end);
          throw error;
        }
        this.renew(connection, end);
        if (endCount > 1)
          await pause(computeExponentialBackoffMs(endCount - 1, MIN_SESSION_PAUSE_MS, MAX_SESSION_PAUSE_MS), signal);
      }
    }
  }

  /**
   * Returns an open connection.
   *
   * @throws {RetryableFailure} `mcp_server_unavailable`
   */
  private async requireConnection(signal: AbortSignal): Promise<Connection> {
    if (this.#listPromise !== undefined) await waitUnlessAborted(this.#listPromise, signal);
    // After only one failure, an immediate attempt may succeed, for example if the program ended between two calls.
    if (this.#connection?.isOpen !== true && (this.#openPromise !== undefined || !this.#backoff.mustWait))
      await waitUnlessAborted(this.connect(), signal);
    const connection = this.#connection;
    if (connection?.isOpen === true) return connection;
    throw new RetryableFailure(
      'mcp_server_unavailable',
      `The MCP server "${this.name}" is not responding: ${this.#problem ?? 'the connection is closed.'}`,
      this.#backoff.remainingMs,
    );
  }

  private handleRefusal(connection: Connection, error: HttpRefusal): void {
    if (error.isEndpointUnavailable && !(error.isSessionEnd && error.status === 404)) this.drop(connection, error);
  }

  /** Drops a connection that can no longer be used. */
  private drop(connection: Connection, error: unknown): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.retire(connection, false);
    this.handleFailure(error);
  }

  /** Immediately replaces a connection whose session is over. The end of a session is not a failure. */
  private renew(connection: Connection, { hasServerChanged }: ConnectionEnd): void {
    if (this.#connection !== connection || this.#isStopped) return;
    if (hasServerChanged) this.#knownServer.era = undefined;
    this.#connection = undefined;
    this.retire(connection, true);
    this.dependencies.log.debug(
      { mcpServer: this.name },
      'starting a new session with the MCP server, because the previous session has ended',
    );
    void this.connect();
  }

  private retire(connection: Connection, isSessionOver: boolean): void {
    this.#retiredConnections.add(connection);
    void connection.retire(isSessionOver).finally(() => this.#retiredConnections.delete(connection));
  }

  /** Never rejects. */
  private connect(): Promise<void> {
    this.#openPromise ??= this.open().finally(() => {
      this.#openPromise = undefined;
    });
    return this.#openPromise;
  }

  private async open(): Promise<void> {
    if (this.#isStopped || this.#connection?.isOpen === true) return;
    const wasConnected = this.#problem === undefined;
    try {
      const { connection, listed, isReconciled } = await this.openAndList();
      this.#connection = connection;
      this.#lastListAt = this.dependencies.now();
      if (!isReconciled) return;
      this.#problem = undefined;
      this.dependencies.log[wasConnected ? 'debug' : 'info'](
        { mcpServer: this.name, tools: listed.tools.length },
        'connected to the MCP server',
      );
      this.schedule(REFRESH_MS, () => this.list());
      // The server announced changes while the connection was being established.
      if (this.#mustList) this.list();
    } catch (error) {
      this.handleFailure(error);
    }
  }

  /**
   * Opens a connection, and lists and reconciles its tools. If the session ends before that is done, starts a new one.
   */
  private async openAndList(): Promise<OpenedConnection> {
    for (let sessionCount = 1; ; sessionCount += 1) {
      const connection = await connectToServer(this.configuration, this.dependencies, {
        redactLast: this.#redactLast,
        signal: this.#stopController.signal,
        onClose: (closed, error, durationMs) => {
          if (this.#connection !== closed) return;
          this.#connection = undefined;
          if (durationMs >= STABLE_AFTER_MS) this.#backoff.recordSuccess();
          this.handleFailure(error);
        },
        onToolsChanged: () => this.list(),
        known: this.#knownServer,
      });
      try {
        const listed = await connection.listTools(this.#stopController.signal);
        const isReconciled = await this.reconcileTools(listed, () => connection.isOpen);
        if (!connection.isOpen || this.#isStopped) throw new Error(connection.exit ?? 'The connection was closed.');
        return { connection, listed, isReconciled };
      } catch (error) {
        await connection.close();
        const end = toConnectionEnd(error, connection.hasSession);
        if (end === undefined || !canRepeatCall(error, end, sessionCount, true)) throw error;
        if (end.hasServerChanged) this.#knownServer.era = undefined;
        await pause(
          computeExponentialBackoffMs(sessionCount, MIN_SESSION_PAUSE_MS, MAX_SESSION_PAUSE_MS),
          this.#stopController.signal,
        );
      }
    }
  }

  /** Lists the tools again. Calls wait for the listing in progress only, not for later ones. */
  private list(): void {
    this.#mustList = true;
    if (this.#listPromise !== undefined || this.#connection === undefined || this.#isStopped) return;
    this.#listPromise = this.listOnce(this.#connection).finally(() => {
      this.#listPromise = undefined;
      if (this.#mustList) this.list();
    });
  }

  /** Never rejects. */
  private async listOnce(connection: Connection): Promise<void> {
    const isCurrent = (): boolean => this.#connection === connection;
    await pause(this.#lastListAt + MIN_BETWEEN_LISTS_MS - this.dependencies.now(), this.#stopController.signal);
    this.#mustList = false;
    try {
      const listed = await connection.listTools(this.#stopController.signal);
      if (!(await this.reconcileTools(listed, isCurrent)) || !isCurrent()) return;
      this.#backoff.recordSuccess();
      this.#problem = undefined;
      this.schedule(REFRESH_MS, () => this.list());
    } catch (error) {
      if (isCurrent()) this.handleListError(connection, error);
    } finally {
      if (isCurrent()) this.#lastListAt = this.dependencies.now();
    }
  }

  private handleListError(connection: Connection, error: unknown): void {
    const end = toConnectionEnd(error, connection.hasSession);
    if (end !== undefined) this.renew(connection, end);
    else if (error instanceof HttpRefusal && error.isBusy)
      this.schedule(Math.min(Math.max(error.retryAfterMs ?? 0, REFRESH_MS), MAX_REFRESH_MS), () => this.list());
    // Many servers process only one request at a time.
    else if (connection.isBusy && isTimeout(error)) this.schedule(RETRY_LIST_MS, () => this.list());
    else this.drop(connection, error);
  }

  /**
   * Reconciles the listed tools with the pins and returns whether that succeeded. A failure here is not an error of the
   * MCP server.
   */
  private async reconcileTools(listed: ListedTools, isCurrent: () => boolean): Promise<boolean> {
    try {
      await this.dependencies.reconcile(this.configuration, listed, isCurrent);
      return true;
    } catch (error) {
      if (!isCurrent()) return false;
      this.#problem = COMPARISON_FAILED;
      this.dependencies.discardOffers(this.name, COMPARISON_FAILED);
      this.dependencies.log.warn(
        { mcpServer: this.name, error: errorMessage(error), nextTryInMs: RETRY_LIST_MS },
        COMPARISON_FAILED,
      );
      this.schedule(RETRY_LIST_MS, () => this.list());
      return false;
    }
  }

  private handleFailure(error: unknown): void {
    const failureReason = this.describeFailure(error);
    this.dependencies.discardOffers(this.name, failureReason);
    this.#problem = failureReason;
    if (this.#isStopped) return;
    const wait = this.#backoff.recordFailure(error instanceof HttpRefusal ? error.retryAfterMs : undefined);
    this.dependencies.log.warn(
      {
        mcpServer: this.name,
        ...(error instanceof ProgramTerminatedError ? { code: error.code } : {}),
        nextTryInMs: wait,
      },
      `the MCP server is not responding: ${failureReason}`,
    );
    this.schedule(wait, () => void this.connect());
  }

  /** Describes a failure for operators. Never throws, because the next attempt would then not be scheduled. */
  private describeFailure(error: unknown): string {
    try {
      return this.toDisplayText(describeConnectionProblem(error));
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
