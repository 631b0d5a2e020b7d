import {
  type Json,
  type JsonObject,
  type OutboundHttpPort,
  PLUGIN_API_VERSION,
  RetryableFailure,
} from '@countersign/core/plugin';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { McpServerConfiguration } from './configuration.js';
import { guardedFetch } from './guarded-fetch.js';
import { withLinkedSignal } from './linked-signal.js';
import { type ListedTools, readToolPages, ToolPage } from './list-tools.js';
import { outputBounds } from './output-bounds.js';
import { type ProgramEnded, ProgramExit } from './program-ended.js';
import { StdioTransport, type ProgramStart } from './stdio-transport.js';

const END_SESSION_MS = 1_000;

const CallResult = z.looseObject({});

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

/** One connection to an MCP server. No sampling, no roots, no elicitation: what the server asks for beside answers is refused. */
export class Connection {
  readonly #client: Client;
  #transport: Transport | undefined;
  readonly #server: McpServerConfiguration;
  #isOpen = false;
  /** Requests that are not answered yet. */
  #waiting = 0;
  #whenIdle: (() => void) | undefined;

  private constructor(server: McpServerConfiguration, events: ConnectionEvents) {
    this.#server = server;
    // The SDK's own validator compiles schemas of strangers into code. What is checked here is checked elsewhere.
    const unused = { getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }) };
    this.#client = new Client(
      { name: 'countersign', version: PLUGIN_API_VERSION },
      { capabilities: {}, jsonSchemaValidator: unused },
    );
    this.#client.onclose = () => {
      const wasOpen = this.#isOpen;
      this.#isOpen = false;
      if (wasOpen) events.onClose();
    };
    this.#client.onerror = (error) => events.onError(error);
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onToolsChanged());
  }

  /** @throws what keeps it from being made within its time; nothing of it is left then */
  static async open(
    server: McpServerConfiguration,
    ways: ConnectionWays,
    events: ConnectionEvents,
    signal?: AbortSignal,
  ): Promise<Connection> {
    const connection = new Connection(server, events);
    try {
      connection.#transport = transportOf(server, ways, events);
      const transport = connection.#transport;
      await withLinkedSignal([signal], (linked) =>
        connection.#client.connect(transport, { timeout: server.ConnectTimeout, signal: linked }),
      );
      connection.#isOpen = true;
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.explained(error);
    }
  }

  /** Why its program was ended; `undefined` where it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.ended : undefined;
  }

  /** What is behind an error, where that is the end of its program. */
  private explained(error: unknown): unknown {
    const isClosed = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
    return this.ended ?? (isClosed && this.exit !== undefined ? new ProgramExit(this.exit, { cause: error }) : error);
  }

  /** How its program ended by itself; `undefined` where there is none, or it runs. */
  get exit(): string | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.exit : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All that the server says of its tools, as it says it. */
  async listTools(stop?: AbortSignal): Promise<ListedTools> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new McpError(ErrorCode.RequestTimeout, 'Request timed out')),
      this.#server.ConnectTimeout,
    );
    const timeout = this.#server.ConnectTimeout;
    try {
      return await readToolPages((params) =>
        withLinkedSignal([stop, late.signal], (signal) =>
          this.request({ method: 'tools/list', params }, ToolPage, { signal, timeout }),
        ),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** @throws {RetryableFailure} `mcp_server_unavailable` where it has ended, so that nothing is sent */
  async callTool(name: string, given: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    if (!this.#isOpen)
      throw new RetryableFailure('mcp_server_unavailable', `The connection to "${this.#server.Name}" has ended.`);
    const params = { name, arguments: given };
    const result = await withLinkedSignal([signal], (linked) =>
      this.request({ method: 'tools/call', params }, CallResult, { signal: linked, timeout: this.#server.Timeout }),
    );
    return result as Record<string, Json>;
  }

  /** @throws {ProgramEnded} where that is why there is no answer */
  private async request<T extends z.ZodType<object>>(
    request: Parameters<Client['request']>[0],
    schema: T,
    options: RequestOptions,
  ): Promise<z.output<T>> {
    this.#waiting += 1;
    try {
      return await this.#client.request(request, schema, options);
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
    await this.#transport?.close().catch(() => undefined);
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
): Transport {
  const { Url, Output } = server;
  if (Url !== undefined)
    return new StreamableHTTPClientTransport(new URL(Url), { fetch: guardedFetch(http, server, now) }) as Transport;
  return new StdioTransport({ ...startOf(server), bounds: outputBounds(Output), onStderr, onNoise });
}
