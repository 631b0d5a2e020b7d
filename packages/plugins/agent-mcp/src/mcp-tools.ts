import { createHash } from 'node:crypto';
import {
  type AgentTool,
  ClockPort,
  type JsonObject,
  type LifecycleContribution,
  LoggerPort,
  OutboundHttpPort,
  Redactor,
  RetryableFailure,
  type ToolCall,
  ToolError,
  type ToolOutput,
  type ToolSourceContribution,
} from '@countersign/core/plugin';
import { canonicalJson } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { toCallError } from './call-error.js';
import { readCallResult } from './call-result.js';
import { createArgumentsValidator } from './create-arguments-validator.js';
import { McpServers, MCP_TOOL_PREFIX } from './configuration.js';
import { ProgramIsolation } from './isolation/program-isolation.js';
import { McpServer } from './mcp-server.js';
import { PinnedTools, type UsableTool } from './pinned-tools.js';

const NO_SUCH_SERVER = 'Its MCP server is not configured.';

/** The tools of MCP servers, and the connections to the servers. */
@injectable()
export class McpTools implements ToolSourceContribution, LifecycleContribution {
  readonly name = 'mcp';
  readonly prefix = MCP_TOOL_PREFIX;
  readonly servers: readonly McpServer[];
  /**
   * Tools by the digests of their definition for the language model and of their pin. Cached, because the creation of a
   * tool expands its schema.
   */
  readonly #toolCache = new Map<string, AgentTool>();

  constructor(
    @inject(McpServers) configured: McpServers,
    @inject(PinnedTools) private readonly pinnedTools: PinnedTools,
    @inject(ProgramIsolation) private readonly isolation: ProgramIsolation,
    @inject(OutboundHttpPort) http: OutboundHttpPort,
    @inject(Redactor) redactor: Redactor,
    @inject(LoggerPort) log: LoggerPort,
    @inject(ClockPort) clock: ClockPort,
  ) {
    const dependencies = {
      http,
      getProgramStart: isolation.getProgramStart.bind(isolation),
      redactor,
      log,
      now: () => clock.now(),
      reconcile: pinnedTools.reconcile.bind(pinnedTools),
      discardOffers: pinnedTools.discardOffers.bind(pinnedTools),
    };
    this.servers = configured.map((server) => new McpServer(server, dependencies));
  }

  /**
   * Prepares the isolation of programs, loads the pins, and connects to all MCP servers. Servers that are down are
   * connected later, and do not prevent the start.
   *
   * @throws {StartupError} `mcp_isolation_unavailable`
   */
  async start(): Promise<void> {
    await this.isolation.prepare();
    await this.pinnedTools.load();
    await Promise.all(this.servers.map((server) => server.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  tools(): readonly AgentTool[] {
    return this.pinnedTools.listUsableTools().map((usableTool) => this.createTool(usableTool));
  }

  private createTool(usableTool: UsableTool): AgentTool {
    const { name, allowed, server, pin } = usableTool;
    const { description, inputSchema } = pin.content as { description: string; inputSchema: JsonObject };
    const { Effect: effect, Reversible: reversible } = allowed;
    const unknownOutcome = effect === 'read' ? 'repeat' : 'park';
    const definition = { name, description, inputSchema, effect, reversible, unknownOutcome } as const;
    const digest = `sha256:${createHash('sha256').update(canonicalJson(definition)).digest('hex')}`;
    const cached = this.#toolCache.get(`${digest} ${pin.digest}`);
    if (cached !== undefined) return cached;
    const origins = server.Url === undefined ? [] : [new URL(server.Url).origin];
    const tool: AgentTool = {
      ...definition,
      digest,
      parseArguments: createArgumentsValidator(inputSchema),
      hosts: () => origins,
      artifacts: () => [],
      call: (args, call) => this.call(usableTool, args, call),
      lookUp: () => Promise.resolve({ executed: 'unknown' }),
    };
    this.#toolCache.set(`${digest} ${pin.digest}`, tool);
    return tool;
  }

  private async call(
    { name, server: { Name }, allowed, pin }: UsableTool,
    args: JsonObject,
    { signal }: ToolCall,
  ): Promise<ToolOutput> {
    const server = this.servers.find((each) => each.name === Name);
    if (server === undefined) throw new ToolError('tool_stopped', NO_SUCH_SERVER);
    const { inputSchema } = pin.content as { inputSchema: JsonObject };
    const result = await server
      .call({ tool: { name: allowed.Name, inputSchema }, args, isRead: allowed.Effect === 'read' }, signal, () =>
        this.assertStillUsable(name, pin.digest),
      )
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw toCallError(error, Name, allowed.Effect, (text, maxLength) => server.toDisplayText(text, maxLength));
      });
    const { content, isError } = readCallResult(result);
    if (isError)
      throw new ToolError('mcp_tool_failed', typeof content === 'string' ? content : JSON.stringify(content));
    return { content, taint: [`mcp:${Name}`] };
  }

  /**
   * Checks that a tool may still be called. Reloads the pins, because another Countersign server may have detected a
   * change of the tool, or an admin may have accepted one.
   *
   * @throws {RetryableFailure} `tool_pins_unavailable` if the pins cannot be read
   * @throws {ToolError} `tool_stopped` if the tool is stopped, or its accepted definition has changed
   */
  private async assertStillUsable(name: string, digest: string): Promise<void> {
    await this.pinnedTools.load().catch((cause: unknown) => {
      throw new RetryableFailure(
        'tool_pins_unavailable',
        'Could not read from the database whether the tool may be called.',
        undefined,
        { cause },
      );
    });
    const isUsable = this.pinnedTools
      .listUsableTools()
      .some((usableTool) => usableTool.name === name && usableTool.pin.digest === digest);
    if (!isUsable)
      throw new ToolError(
        'tool_stopped',
        'The tool is stopped, or its accepted definition has changed since it was offered to the agent.',
      );
  }
}
