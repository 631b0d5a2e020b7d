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

/** A result with what the server has said. */
const Answered = z.looseObject({ [ANSWER]: z.looseObject({}) });

export interface ConnectionEvents {
  onClose(): void;
  /** The server says that its tools have changed. */
  onToolsChanged(): void;
  onError(error: Error): void;
  onStderr(chunk: string): void;
  /** A line of the standard output that is no message. */
  onNoise(line: string): void;
}

/** What connections are made by. */
export interface ConnectionWays {
  readonly http: OutboundHttpPort;
  /** How the program of a server is started. */
  startOf(server: McpServerConfiguration): ProgramStart;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A tool as it was accepted. */
export interface AcceptedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** One connection to an MCP server. No sampling, no roots, no elicitation: what the server asks for beside answers is refused. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  /** Those of HTTP. */
  readonly #pending = new PendingRequests();
  readonly #server: McpServerConfiguration;
  #isOpen = false;
  /** Requests that are not answered yet. */
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
    // The SDK's own validator compiles schemas of strangers into code. What is checked here is checked elsewhere.
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
   * @param known how the server was begun with before
   * @throws what keeps it from being made within its time; nothing of it is left then
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
        // What the server said to `initialize` says more than that it does not know the other beginning either.
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
        // While it finds out what the server knows, the SDK does not look at the signal.
        linked.addEventListener('abort', () => void transport.close().catch(() => undefined), { once: true });
        return this.#client.connect(transport, { timeout, signal: linked });
      });
      this.#isOpen = true;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** How it was begun with. */
  get era(): ProtocolEra | undefined {
    return this.#client.getProtocolEra();
  }

  /** Why its program was ended; `undefined` where it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.ended : undefined;
  }

  /** What is behind an error, where that is the end of its program. */
  private explained(error: unknown): unknown {
    if (this.ended !== undefined) return this.ended;
    const isClosed =
      error instanceof SdkError && (error.code === SdkErrorCode.ConnectionClosed || isNegotiationFailure(error));
    if (isClosed && this.exit !== undefined) return new ProgramExit(this.exit, { cause: error });
    return isNegotiationFailure(error) ? ((error as Error).cause ?? error) : error;
  }

  /** How its program ended by itself; `undefined` where there is none, or it runs. */
  get exit(): string | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.exit : undefined;
  }

  /** Not while the last output of a program is read that has ended. */
  get isOpen(): boolean {
    return this.#isOpen && this.exit === undefined;
  }

  /** Whether it belongs to a session of streamable HTTP. */
  get hasSession(): boolean {
    return this.#transport instanceof StreamableHTTPClientTransport && this.#transport.sessionId !== undefined;
  }

  /** Whether a request is not answered yet. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** All that the server says of its tools, as it says it. */
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
   * @throws {RetryableFailure} `mcp_server_unavailable` where it has ended, so that nothing is sent
   * @throws {UnfinishedCall} where the server has not given the result
   * @throws {BegunCall} where it fails after the server wanted to be asked again
   */
  async callTool(tool: AcceptedTool, given: JsonObject, stop: AbortSignal): Promise<JsonObject> {
    if (!this.isOpen)
      throw new RetryableFailure('mcp_server_unavailable', `The connection to "${this.#server.Name}" has ended.`);
    const timeout = this.#server.Timeout;
    // The SDK puts arguments into headers where the schema of the tool says so (MCP 2026-07-28, "Custom Headers").
    const toolDefinition = tool as unknown as NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition'];
    const answer = await within(timeout, stop, (signal) => {
      const ask: Ask = async (requestState) => {
        const params = { name: tool.name, arguments: given, ...(requestState === undefined ? {} : { requestState }) };
        const result = await this.answered(() => this.#client.callTool(params, { signal, timeout, toolDefinition }));
        return Answered.parse(result)[ANSWER];
      };
      return this.era === 'modern' ? callInRounds(ask, signal) : ask();
    });
    // Servers of other revisions may have a type of their own, but not instead of a content.
    if (answer['content'] === undefined) checkFinished(answer);
    return answer as Record<string, Json>;
  }

  /** @throws {ProgramEnded} where that is why there is no answer */
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

  /** Takes no more requests, and closes once those that wait have their answers. */
  async retire(isOver = false): Promise<void> {
    this.#isOpen = false;
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.close(isOver);
  }

  /** @param isOver whether the session is over, so that the server need not be told of its end */
  async close(isOver = false): Promise<void> {
    this.#isOpen = false;
    if (!isOver && this.#transport instanceof StreamableHTTPClientTransport) await endSession(this.#transport);
    await this.#client.close().catch(() => undefined);
    // A client that never got through its first words lets go of its transport, whatever becomes of that.
    await this.#transport.close().catch(() => undefined);
  }
}

/** Does some work whose time is up after some milliseconds, whatever becomes of its single requests. */
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

/** So that the server need not keep it, if it answers at once. */
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
