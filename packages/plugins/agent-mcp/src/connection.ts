import { isJsonObject, type Json, type JsonObject, type OutboundHttpPort } from '@countersign/core/plugin';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { McpServerConfiguration } from './configuration.js';
import { guardedFetch } from './guarded-fetch.js';
import { StdioTransport } from './stdio-transport.js';

const MOST_PAGES = 50;
const MOST_TOOLS = 5_000;
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
      { name: 'countersign', version: '0.1.0' },
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
    http: OutboundHttpPort,
    events: ConnectionEvents,
  ): Promise<Connection> {
    const connection = new Connection(server, events);
    try {
      connection.#transport = transportOf(server, http, events);
      await connection.#client.connect(connection.#transport, { timeout: server.ConnectTimeout });
      connection.#isOpen = true;
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** All that the server says of its tools, as it says it. */
  async listTools(): Promise<readonly JsonObject[]> {
    const found: JsonObject[] = [];
    const signal = AbortSignal.timeout(this.#server.ConnectTimeout);
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { tools, nextCursor } = await this.#client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ToolPage,
        { signal, timeout: this.#server.ConnectTimeout },
      );
      for (const tool of tools) if (isJsonObject(tool)) found.push(tool);
      if (found.length > MOST_TOOLS) break;
      if (nextCursor === undefined) return found;
      cursor = nextCursor;
    }
    throw new Error(`It lists more than ${MOST_TOOLS} tools, or more than ${MOST_PAGES} pages of them.`);
  }

  async callTool(name: string, given: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const result = await this.#client.request(
      { method: 'tools/call', params: { name, arguments: given } },
      CallResult,
      { signal, timeout: this.#server.Timeout },
    );
    return result as Record<string, Json>;
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
  http: OutboundHttpPort,
  { onStderr }: ConnectionEvents,
): Transport {
  const { Command, Args, Env, PlainEnv, Cwd, Url } = server;
  if (Url !== undefined)
    return new StreamableHTTPClientTransport(new URL(Url), { fetch: guardedFetch(http, server) }) as Transport;
  const secrets = Object.fromEntries(Object.entries(Env).map(([name, value]) => [name, value.reveal()]));
  // Without it, no program is found that the command or itself names.
  const { PATH } = process.env;
  return new StdioTransport({
    command: Command ?? '',
    args: Args,
    env: { ...(PATH === undefined ? {} : { PATH }), ...PlainEnv, ...secrets },
    cwd: Cwd,
    onStderr,
  });
}
