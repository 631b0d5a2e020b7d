import { type Json, type JsonObject, type OutboundHttpPort, PLUGIN_API_VERSION } from '@countersign/core/plugin';
import { isJsonObject } from '@countersign/model';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { McpServerConfiguration } from './configuration.js';
import { guardedFetch } from './guarded-fetch.js';
import { outputBounds } from './output-bounds.js';
import type { ProgramEnded } from './program-ended.js';
import { StdioTransport, type ProgramStart } from './stdio-transport.js';

const MAX_PAGES = 50;
const MAX_TOOLS = 5_000;
const END_SESSION_MS = 1_000;

/** What is in it is read one by one: one broken tool is not to hide the others. */
const ToolPage = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().max(10_000).optional() });
const CallResult = z.looseObject({});

export interface ConnectionEvents {
  onClose(): void;
  /** The server says that its tools have changed. */
  onToolsChanged(): void;
  onError(error: Error): void;
  onStderr(chunk: string): void;
}

/** What connections are made by. */
export interface ConnectionWays {
  readonly http: OutboundHttpPort;
  /** How the program of a server is started. */
  startOf(server: McpServerConfiguration): ProgramStart;
}

/** One connection to an MCP server. No sampling, no roots, no elicitation: what the server asks for beside answers is refused. */
export class Connection {
  readonly #client: Client;
  #transport: Transport | undefined;
  readonly #server: McpServerConfiguration;
  #isOpen = false;

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
  ): Promise<Connection> {
    const connection = new Connection(server, events);
    try {
      connection.#transport = transportOf(server, ways, events);
      await connection.#client.connect(connection.#transport, { timeout: server.ConnectTimeout });
      connection.#isOpen = true;
      return connection;
    } catch (error) {
      await connection.close();
      throw connection.ended ?? error;
    }
  }

  /** Why its program was ended; `undefined` where it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.ended : undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All that the server says of its tools, as it says it. */
  async listTools(): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    const signal = AbortSignal.timeout(this.#server.ConnectTimeout);
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { tools, nextCursor } = await this.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ToolPage,
        { signal, timeout: this.#server.ConnectTimeout },
      );
      for (const tool of tools) if (isJsonObject(tool)) found.push(tool);
      if (found.length > MAX_TOOLS) break;
      if (nextCursor === undefined) return found;
      cursor = nextCursor;
    }
    throw new Error(`It lists more than ${MAX_TOOLS} tools, or more than ${MAX_PAGES} pages of them.`);
  }

  async callTool(name: string, given: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const result = await this.request({ method: 'tools/call', params: { name, arguments: given } }, CallResult, {
      signal,
      timeout: this.#server.Timeout,
    });
    return result as Record<string, Json>;
  }

  /** @throws {ProgramEnded} where that is why there is no answer */
  private async request<T extends z.ZodType<object>>(
    request: Parameters<Client['request']>[0],
    schema: T,
    options: RequestOptions,
  ): Promise<z.output<T>> {
    try {
      return await this.#client.request(request, schema, options);
    } catch (error) {
      throw this.ended ?? error;
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#transport instanceof StreamableHTTPClientTransport) await endSession(this.#transport);
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
  { http, startOf }: ConnectionWays,
  { onStderr }: ConnectionEvents,
): Transport {
  const { Url, Output } = server;
  if (Url !== undefined)
    return new StreamableHTTPClientTransport(new URL(Url), { fetch: guardedFetch(http, server) }) as Transport;
  return new StdioTransport({ ...startOf(server), bounds: outputBounds(Output), onStderr });
}
