import {
  type Json,
  type JsonObject,
  type OutboundHttpPort,
  PLUGIN_API_VERSION,
  RetryableFailure,
} from '@countersign/core/plugin';
import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { RAW_RESULT, RawResultTransport } from './raw-result-transport.js';
import { type SendCall, callUntilFinished } from './call-until-finished.js';
import type { McpServerConfiguration } from './configuration.js';
import { guardedFetch } from './guarded-fetch.js';
import { withLinkedSignal } from './linked-signal.js';
import { type ListedTools, readToolPages, ToolPage } from './read-tool-pages.js';
import { toOutputBounds } from './output-bounds.js';
import { PendingRequests } from './pending-requests.js';
import { type ProgramTerminatedError, ProgramExitError } from './program-errors.js';
import {
  type ConnectionAttempt,
  listConnectionAttempts,
  isNegotiationFailure,
  type ProtocolEra,
} from './protocol-era.js';
import { StdioTransport, type ProgramStart } from './stdio-transport.js';
import { assertFinished } from './unfinished-call.js';

const END_SESSION_MS = 1_000;

/** Schema of a result that contains the original result of the server. */
const RawResultSchema = z.looseObject({ [RAW_RESULT]: z.looseObject({}) });

export interface ConnectionEvents {
  onClose(): void;
  /** Called when the server reports that its tools have changed. */
  onToolsChanged(): void;
  onError(error: Error): void;
  onStderr(chunk: string): void;
  /** Called for a line of the standard output that is not a message. */
  onNoise(line: string): void;
}

/** Dependencies of connections. */
export interface ConnectionDependencies {
  readonly http: OutboundHttpPort;
  /** Returns how to start the program of a server. */
  getProgramStart(server: McpServerConfiguration): ProgramStart;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** An accepted tool. */
export interface AcceptedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** One connection to an MCP server. Requests from the server, such as sampling, roots and elicitation, are refused. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  /** Pending HTTP requests. */
  readonly #pending = new PendingRequests();
  readonly #server: McpServerConfiguration;
  #isOpen = false;
  /** Number of requests without a response. */
  #pendingCount = 0;
  #onIdle: (() => void) | undefined;

  private constructor(
    server: McpServerConfiguration,
    dependencies: ConnectionDependencies,
    events: ConnectionEvents,
    versionNegotiation: ConnectionAttempt['negotiation'],
  ) {
    this.#server = server;
    this.#transport = createTransport(server, dependencies, events, this.#pending);
    // The SDK's validator compiles untrusted schemas into code. `createArgumentsValidator` validates arguments instead.
    const unusedValidator = {
      getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }),
    };
    this.#client = new Client(
      { name: 'countersign', version: PLUGIN_API_VERSION },
      { capabilities: {}, jsonSchemaValidator: unusedValidator, versionNegotiation },
    );
    this.#client.onclose = () => {
      const wasOpen = this.#isOpen;
      this.#isOpen = false;
      if (wasOpen) events.onClose();
    };
    this.#client.onerror = (error) => events.onError(error);
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => events.onToolsChanged());
  }

  /**
   * Opens a connection.
   *
   * @param knownEra the protocol era of the server's last connection
   * @throws the error that prevented the connection, or a timeout; all resources of the connection are released
   */
  static async open(
    server: McpServerConfiguration,
    dependencies: ConnectionDependencies,
    events: ConnectionEvents,
    signal?: AbortSignal,
    knownEra?: ProtocolEra,
  ): Promise<Connection> {
    let failure: unknown;
    for (const { negotiation, maySupportOtherEra } of listConnectionAttempts(server, knownEra)) {
      const connection = new Connection(server, dependencies, events, negotiation);
      try {
        await connection.connect(signal);
        return connection;
      } catch (error) {
        // The response to `initialize` is more informative than the failure of the other protocol era.
        if (failure === undefined || !isNegotiationFailure(error)) failure = connection.explainError(error);
        if (signal?.aborted === true || connection.termination !== undefined || !maySupportOtherEra(error)) break;
      }
    }
    throw failure;
  }

  private async connect(signal: AbortSignal | undefined): Promise<void> {
    const transport = new RawResultTransport(this.#transport, (id) => this.#pending.cancel(id));
    const timeout = this.#server.ConnectTimeout;
    try {
      await withLinkedSignal([signal], (linked) => {
        // While the SDK negotiates, it ignores the signal.
        linked.addEventListener('abort', () => void transport.close().catch(() => undefined), { once: true });
        return this.#client.connect(transport, { timeout, signal: linked });
      });
      this.#isOpen = true;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The protocol era of the connection. */
  get era(): ProtocolEra | undefined {
    return this.#client.getProtocolEra();
  }

  /** Why this server terminated the program; `undefined` if it did not. */
  get termination(): ProgramTerminatedError | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.termination : undefined;
  }

  /**
   * Returns the error that explains a failure: the end of the program, the cause of a failed negotiation, or the error
   * itself.
   */
  private explainError(error: unknown): unknown {
    if (this.termination !== undefined) return this.termination;
    const isClosed =
      error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || isNegotiationFailure(error));
    if (isClosed && this.exit !== undefined) return new ProgramExitError(this.exit, { cause: error });
    return isNegotiationFailure(error) ? ((error as Error).cause ?? error) : error;
  }

  /** How the program ended; `undefined` if it is still running or there is none. */
  get exit(): string | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.exit : undefined;
  }

  /** Whether the connection accepts requests. False while the last output of an ended program is read. */
  get isOpen(): boolean {
    return this.#isOpen && this.exit === undefined;
  }

  /** Whether the connection belongs to a session of streamable HTTP. */
  get hasSession(): boolean {
    return this.#transport instanceof StreamableHTTPClientTransport && this.#transport.sessionId !== undefined;
  }

  /** Whether a request has no response yet. */
  get isBusy(): boolean {
    return this.#pendingCount > 0;
  }

  /** Lists the tools of the server, unchanged. */
  listTools(callerSignal?: AbortSignal): Promise<ListedTools> {
    const timeout = this.#server.ConnectTimeout;
    return withTimeout(timeout, callerSignal, (signal) =>
      readToolPages(async (params) => {
        const page = await this.sendRequest(() =>
          this.#client.request({ method: 'tools/list', params }, RawResultSchema, { signal, timeout }),
        );
        return ToolPage.parse(page[RAW_RESULT]);
      }),
    );
  }

  /**
   * Calls a tool.
   *
   * @throws {RetryableFailure} `mcp_server_unavailable` if the connection has ended, so that nothing was sent
   * @throws {UnfinishedCallError} if the server did not return the result
   * @throws {StartedCallError} if the call fails after the server has requested a repeat
   */
  async callTool(tool: AcceptedTool, args: JsonObject, callerSignal: AbortSignal): Promise<JsonObject> {
    if (!this.isOpen)
      throw new RetryableFailure('mcp_server_unavailable', `The connection to "${this.#server.Name}" was closed.`);
    const timeout = this.#server.Timeout;
    // The SDK copies arguments to headers if the schema of the tool requires it (MCP 2026-07-28, "Custom Headers").
    const toolDefinition = tool as unknown as NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition'];
    const response = await withTimeout(timeout, callerSignal, (signal) => {
      const sendCall: SendCall = async (requestState) => {
        const params = { name: tool.name, arguments: args, ...(requestState === undefined ? {} : { requestState }) };
        const result = await this.sendRequest(() => this.#client.callTool(params, { signal, timeout, toolDefinition }));
        return RawResultSchema.parse(result)[RAW_RESULT];
      };
      return this.era === 'modern' ? callUntilFinished(sendCall, signal) : sendCall();
    });
    // Servers of other revisions may use their own result type, but only in addition to content.
    if (response['content'] === undefined) assertFinished(response);
    return response as Record<string, Json>;
  }

  /**
   * Sends a request.
   *
   * @throws {ProgramTerminatedError | ProgramExitError} if the end of the program is the reason for the missing
   *   response
   */
  private async sendRequest<T>(request: () => Promise<T>): Promise<T> {
    this.#pendingCount += 1;
    try {
      return await request();
    } catch (error) {
      throw this.explainError(error);
    } finally {
      this.#pendingCount -= 1;
      if (this.#pendingCount === 0) this.#onIdle?.();
    }
  }

  /** Accepts no more requests, and closes once all pending requests have responses. */
  async retire(isSessionOver = false): Promise<void> {
    this.#isOpen = false;
    if (this.#pendingCount > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.close(isSessionOver);
  }

  /**
   * Closes the connection.
   *
   * @param isSessionOver whether the session is over, so that the server need not be notified of its end
   */
  async close(isSessionOver = false): Promise<void> {
    this.#isOpen = false;
    if (!isSessionOver && this.#transport instanceof StreamableHTTPClientTransport) await endSession(this.#transport);
    await this.#client.close().catch(() => undefined);
    // A client whose negotiation failed releases its transport without waiting for it to close.
    await this.#transport.close().catch(() => undefined);
  }
}

/** Runs work with a total time limit, regardless of the limits of its requests. */
async function withTimeout<T>(
  milliseconds: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutController = new AbortController();
  const onTimeout = (): void => timeoutController.abort(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'));
  const timer = setTimeout(onTimeout, milliseconds);
  try {
    return await withLinkedSignal([callerSignal, timeoutController.signal], work);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the session, so that the server need not keep it; waits only briefly for the response. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_SESSION_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), timeout]);
  clearTimeout(timer);
}

function createTransport(
  server: McpServerConfiguration,
  { http, getProgramStart, now }: ConnectionDependencies,
  { onStderr, onNoise }: ConnectionEvents,
  pending: PendingRequests,
): Transport {
  const { Url, Output } = server;
  if (Url !== undefined)
    return new StreamableHTTPClientTransport(new URL(Url), { fetch: guardedFetch(http, server, now, pending) });
  return new StdioTransport({ ...getProgramStart(server), bounds: toOutputBounds(Output), onStderr, onNoise });
}
