import type { ReadinessCheckContribution, ReadinessResult } from '@countersign/core/plugin';
import { inject, injectable } from 'inversify';
import { McpTools } from './mcp-tools.js';
import { PinnedTools } from './pinned-tools.js';
import { oneLine } from './visible-text.js';

/** Reports servers that are down and tools that are stopped, as warnings: they do not make this server unready. */
@injectable()
export class McpReadiness implements ReadinessCheckContribution {
  readonly name = 'mcp';

  constructor(
    @inject(McpTools) private readonly tools: McpTools,
    @inject(PinnedTools) private readonly pinned: PinnedTools,
  ) {}

  async check(): Promise<ReadinessResult> {
    const { servers } = this.tools;
    if (servers.length === 0) return { status: 'ok', detail: 'No MCP servers are configured.' };
    const down = servers
      .filter(({ problem }) => problem !== undefined)
      .map(({ name, problem = '' }) => `"${name}" is not responding (${part(problem)})`);
    const stopped = this.pinned.stopped().map(({ name, message }) => `${name} is stopped (${part(message)})`);
    const faults = [...down, ...stopped];
    if (faults.length === 0)
      return {
        status: 'ok',
        detail: `${servers.length} MCP servers respond; agents may use ${this.pinned.running().length} of their tools.`,
      };
    return {
      status: 'warn',
      detail: `${faults.slice(0, 10).join('; ')}${faults.length > 10 ? `; and ${faults.length - 10} more` : ''}.`,
    };
  }
}

/** Shortens a text for use within another one. */
function part(text: string): string {
  return oneLine(text.replace(/\.$/, ''), 200);
}
