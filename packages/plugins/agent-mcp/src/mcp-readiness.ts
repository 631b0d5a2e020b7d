import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { McpTools } from './mcp-tools.js';
import { PinnedTools } from './pinned-tools.js';
import { toSingleLine } from './escape-hidden-characters.js';

/** Reports servers that are down and tools that are stopped, as warnings: they do not make this server unready. */
@injectable()
export class McpReadiness implements ReadinessCheckContribution {
  readonly name = 'mcp';

  constructor(
    @inject(McpTools) private readonly tools: McpTools,
    @inject(PinnedTools) private readonly pinnedTools: PinnedTools,
  ) {}

  async check(): Promise<ReadinessResult> {
    const { servers } = this.tools;
    if (servers.length === 0) return { status: 'ok', detail: 'No MCP servers are configured.' };
    const downServers = servers
      .filter(({ problem }) => problem !== undefined)
      .map(({ name, problem = '' }) => `"${name}" is not responding (${shorten(problem)})`);
    const stoppedTools = this.pinnedTools
      .listStoppedTools()
      .map(({ name, message }) => `${name} is stopped (${shorten(message)})`);
    const problems = [...downServers, ...stoppedTools];
    if (problems.length === 0)
      return {
        status: 'ok',
        detail: `MCP servers: ${servers.length}, all responding; tools that agents may use: ${this.pinnedTools.listUsableTools().length}.`,
      };
    return {
      status: 'warn',
      detail: `${problems.slice(0, 10).join('; ')}${problems.length > 10 ? `; and others (${problems.length} problems in total)` : ''}.`,
    };
  }
}

/** Shortens a text for use within another one. */
function shorten(text: string): string {
  return toSingleLine(text.replace(/\.$/, ''), 200);
}
