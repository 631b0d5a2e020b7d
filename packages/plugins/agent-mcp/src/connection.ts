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
import { ANSWER, AnswerTransport } from './answer-transport.js';
import { type Ask, callInRounds } from './call-rounds.js';
import type { McpServerConfiguration } from './configuration.js';
import { guardedFetch } from './guarded-fetch.js';
import { withLinkedSignal } from './linked-signal.js';
import { type ListedTools, readToolPages, ToolPage } from './list-tools.js';
import { outputBounds } from './output-bounds.js';
import { PendingRequests } from './pending-requests.js';
import { type ProgramEnded, ProgramExit } from './program-ended.js';
import { type Attempt, attempts, isNegotiationFailure, type ProtocolEra } from './protocol-era.js';
import { StdioTransport, type ProgramStart } from './stdio-transport.js';
import { checkFinished } from './unfinished-call.js';

const END_SESSION_MS = 1_000;

/** A result with the original result of the server. */
const Answered = z.looseObject({ [ANSWER]: z.looseObject({}) });

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
export interface ConnectionWays {
  readonly http: OutboundHttpPort;
  /** Returns how to start the program of a server. */
  startOf(server: McpServerConfiguration): ProgramStart;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** An accepted tool. */
export interface AcceptedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** One connection to an MCP server. Without sampling, roots and elicitation: requests by the server are refused. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  /** Pending HTTP requests. */
  readonly #pending = new PendingRequests();
  readonly #server: McpServerConfiguration;
  #isOpen = false;
  /** Number of requests without a response. */
  #waiting = 0;
  #whenIdle: (() => void) | undefined;

  private constructor(
    server: McpServerConfiguration,
    ways: ConnectionWays,
    events: ConnectionEvents,
    versionNegotiation: Attempt['negotiation'],
  ) {
    this.#server = server;
    this.#transport = transportOf(server, ways, events, this.#pending);
    // The SDK's validator compiles untrusted schemas into code. Schemas are checked elsewhere.
    const unused = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }) };
    this.#client = new Client(
      { name: 'countersign', version: PLUGIN_API_VERSION },
      { capabilities: {}, jsonSchemaValidator: unused, versionNegotiation },
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
   * @param known the protocol era of the server's last connection
   * @throws the error that prevented the connection within its time limit; nothing of the connection remains
   */
  static async open(
    server: McpServerConfiguration,
    ways: ConnectionWays,
    events: ConnectionEvents,
    signal?: AbortSignal,
    known?: ProtocolEra,
  ): Promise<Connection> {
    let failure: unknown;
    for (const { negotiation, isOther } of attempts(server, known)) {
      const connection = new Connection(server, ways, events, negotiation);
      try {
        await connection.begin(signal);
        return connection;
      } catch (error) {
        // The response to `initialize` is more informative than the failure of the other protocol era.
        if (failure === undefined || !isNegotiationFailure(error)) failure = connection.explained(error);
        if (signal?.aborted === true || connection.ended !== undefined || !isOther(error)) break;
      }
    }
    throw failure;
  }

  private async begin(signal: AbortSignal | undefined): Promise<void> {
    const transport = new AnswerTransport(this.#transport, (id) => this.#pending.cancel(id));
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

  /** Why the program was ended; `undefined` if it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.ended : undefined;
  }

  /** Replaces an error by the end of the program if that is its cause. */
  private explained(error: unknown): unknown {
    if (this.ended !== undefined) return this.ended;
    const isClosed =
      error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || isNegotiationFailure(error));
    if (isClosed && this.exit !== undefined) return new ProgramExit(this.exit, { cause: error });
    return isNegotiationFailure(error) ? ((error as Error).cause ?? error) : error;
  }

  /** How the program ended on its own; `undefined` if it runs or there is none. */
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
    return this.#waiting > 0;
  }

  /** Lists the tools of the server, unchanged. */
  listTools(stop?: AbortSignal): Promise<ListedTools> {
    const timeout = this.#server.ConnectTimeout;
    return within(timeout, stop, (signal) =>
      readToolPages(async (params) => {
        const page = await this.answered(() =>
          this.#client.request({ method: 'tools/list', params }, Answered, { signal, timeout }),
        );
        return ToolPage.parse(page[ANSWER]);
      }),
    );
  }

  /**
   * Calls a tool.
   *
   * @throws {RetryableFailure} `mcp_server_unavailable` if the connection has ended, so that nothing was sent
   * @throws {UnfinishedCall} if the server did not return the result
   * @throws {BegunCall} if the call fails after the server has requested a repeat
   */
  async callTool(tool: AcceptedTool, given: JsonObject, stop: AbortSignal): Promise<JsonObject> {
    if (!this.isOpen)
      throw new RetryableFailure('mcp_server_unavailable', `The connection to "${this.#server.Name}" was closed.`);
    const timeout = this.#server.Timeout;
    // The SDK copies arguments to headers if the schema of the tool requires it (MCP 2026-07-28, "Custom Headers").
    const toolDefinition = tool as unknown as NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition'];
    const answer = await within(timeout, stop, (signal) => {
      const ask: Ask = async (requestState) => {
        const params = { name: tool.name, arguments: given, ...(requestState === undefined ? {} : { requestState }) };
        const result = await this.answered(() => this.#client.callTool(params, { signal, timeout, toolDefinition }));
        return Answered.parse(result)[ANSWER];
      };
      return this.era === 'modern' ? callInRounds(ask, signal) : ask();
    });
    // Servers of other revisions may use their own result type, but only in addition to content.
    if (answer['content'] === undefined) checkFinished(answer);
    return answer as Record<string, Json>;
  }

  /**
   * Sends a request.
   *
   * @throws {ProgramEnded} if the end of the program is the reason for the missing response
   */
  private async answered<T>(request: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    try {
      return await request();
    } catch (error) {
      throw this.explained(error);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#whenIdle?.();
    }
  }

  /** Accepts no more requests, and closes once all pending requests have responses. */
  async retire(isOver = false): Promise<void> {
    this.#isOpen = false;
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.close(isOver);
  }

  /**
   * Closes the connection.
   *
   * @param isOver whether the session is over, so that the server need not be notified of its end
   */
  async close(isOver = false): Promise<void> {
    this.#isOpen = false;
    if (!isOver && this.#transport instanceof StreamableHTTPClientTransport) await endSession(this.#transport);
    await this.#client.close().catch(() => undefined);
    // A client whose negotiation failed releases its transport without waiting for it to close.
    await this.#transport.close().catch(() => undefined);
  }
}

/** Runs work with a total time limit, regardless of the limits of its requests. */
async function within<T>(
  milliseconds: number,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const isLate = (): void => late.abort(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'));
  const timer = setTimeout(isLate, milliseconds);
  try {
    return await withLinkedSignal([stop, late.signal], work);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the session, so that the server need not keep it; waits only briefly for the response. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_SESSION_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

function transportOf(
  server: McpServerConfiguration,
  { http, startOf, now }: ConnectionWays,
  { onStderr, onNoise }: ConnectionEvents,
  pending: PendingRequests,
): Transport {
  const { Url, Output } = server;
  if (Url !== undefined)
    return new StreamableHTTPClientTransport(new URL(Url), { fetch: guardedFetch(http, server, now, pending) });
  return new StdioTransport({ ...startOf(server), bounds: outputBounds(Output), onStderr, onNoise });
}
