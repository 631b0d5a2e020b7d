import { seconds } from '@countersign/testing';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentMcpPlugin } from '@countersign/agent-mcp';
import { createHost, type Host, type JsonObject, type LoggerPort, type ToolPin, ToolPinPort } from '@countersign/core';
import {
  type AgentTool,
  ReadinessCheckContribution,
  type ToolCall,
  type ToolOutput,
  ToolSourceContribution,
} from '@countersign/core/plugin';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { buildToolCall } from '../connectors/tools.spec.support.js';
import type { HostileState } from './hostile-server.js';

export const ADMIN = { type: 'user', id: 'ada', name: 'Ada' } as const;

/** Host with real connections to MCP servers. */
export interface McpHost {
  readonly host: Host;
  readonly pins: ToolPinPort;
  readonly logged: string[];
  tools(): readonly AgentTool[];
  tool(name: string): AgentTool;
  pin(name: string): Promise<ToolPin>;
  call(name: string, input?: JsonObject, overrides?: Partial<ToolCall>): Promise<ToolOutput>;
  /** Executes a call that must fail, and returns its error. */
  callAndGetError(
    name: string,
    input?: JsonObject,
    overrides?: Partial<ToolCall>,
  ): Promise<Error & { readonly code?: string }>;
  readiness(): Promise<{ readonly status: string; readonly detail: string }>;
  stop(): Promise<void>;
}

export async function startMcpHost(
  database: TestDatabase,
  servers: readonly JsonObject[],
  extraConfiguration: JsonObject = {},
): Promise<McpHost> {
  const logged: string[] = [];
  const record = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const logger: LoggerPort = { debug: record, info: record, warn: record, error: record };
  const host = createHost({
    plugins: [storagePostgresPlugin, outboundHttpPlugin, agentMcpPlugin],
    configuration: {
      file: {
        path: '/countersign.config.yaml',
        content: {
          Storage: { Postgres: { ConnectionString: database.connectionString } },
          Connectors: { AllowedNetworks: ['127.0.0.1'] },
          Agents: { Mcp: { Isolation: 'none', Servers: [...servers] } },
          ...extraConfiguration,
        },
      },
    },
    logger,
  });
  await host.start();
  const [source] = host.getAll(ToolSourceContribution);
  const pins = host.get(ToolPinPort);
  const tools = (): readonly AgentTool[] => source?.tools() ?? [];
  const tool = (name: string): AgentTool => {
    const found = tools().find((each) => each.name === name);
    if (found === undefined)
      throw new Error(
        `There is no tool ${name}, only ${tools()
          .map((each) => each.name)
          .join(', ')}.`,
      );
    return found;
  };
  const call: McpHost['call'] = async (name, input = {}, options = {}) => {
    const parsed = tool(name).parseArguments(input);
    if ('problems' in parsed) throw new Error(parsed.problems.join(' '));
    return tool(name).call(parsed.arguments, buildToolCall(options));
  };
  return {
    host,
    pins,
    logged,
    tools,
    tool,
    pin: async (name) => {
      const found = (await pins.list()).find((each) => each.name === name);
      if (found === undefined) throw new Error(`No pin of ${name} was found.`);
      return found;
    },
    call,
    callAndGetError: async (name, input, options) => {
      const result: unknown = await call(name, input, options).catch((error: unknown) => error);
      if (result instanceof Error) return result;
      throw new Error('The call did not fail.', { cause: result });
    },
    readiness: async () => {
      const check = host.getAll(ReadinessCheckContribution).find(({ name }) => name === 'mcp');
      if (check === undefined) throw new Error('The plugin has no readiness check.');
      return check.check();
    },
    stop: () => host.stop(),
  };
}

/** Program of an MCP server whose behaviour the test sets, with a directory for its state and calls. */
export class HostileServer {
  private constructor(readonly directory: string) {}

  static async create(state: HostileState = {}): Promise<HostileServer> {
    const server = new HostileServer(await mkdtemp(join(tmpdir(), 'countersign-mcp-')));
    await writeFile(join(server.directory, 'calls'), '');
    await server.setState(state);
    return server;
  }

  setState(state: HostileState): Promise<void> {
    return writeFile(join(this.directory, 'state'), JSON.stringify(state));
  }

  async readCalls(): Promise<readonly unknown[]> {
    return (await readFile(join(this.directory, 'calls'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Returns the configuration of the server. */
  buildConfiguration(overrides: JsonObject = {}): JsonObject {
    const script = fileURLToPath(new URL('hostile-server.js', import.meta.url));
    return {
      Name: 'evil',
      Command: process.execPath,
      Args: [script, join(this.directory, 'state'), join(this.directory, 'calls')],
      AllowedTools: [{ Name: 'act' }],
      ConnectTimeout: `PT${seconds(5) / 1_000}S`,
      Timeout: `PT${seconds(1) / 1_000}S`,
      ...overrides,
    };
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}

/** Returns a tool in the format of a server's tool list. */
export function buildListedTool(overrides: object = {}): JsonObject {
  return {
    name: 'act',
    description: 'Acts.',
    inputSchema: { type: 'object', properties: { do: { type: 'string' } } },
    ...overrides,
  } as JsonObject;
}
