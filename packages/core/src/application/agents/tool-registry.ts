import { inject, injectable, multiInject, optional } from 'inversify';
import { ToolContribution } from '../../contributions/tool.js';
import { ToolSourceContribution, type AgentTool } from '../../contributions/tool-source.js';
import { LoggerPort } from '../../ports/logger.js';
import { contributedTool } from './contributed-tool.js';
import { humanAsk } from './human-ask.js';
import type { AgentProblem } from './read-agent-files.js';

export interface RegisteredTool {
  readonly tool: AgentTool;
  /** `builtin`, or the name of the source. */
  readonly source: string;
}

/** All tools available to agents of this server: contributed tools and the current tools of sources. */
@injectable()
export class ToolRegistry {
  /** Contributions whose name is already taken. */
  readonly problems: readonly AgentProblem[];
  private readonly contributed: ReadonlyMap<string, AgentTool>;
  private readonly logged = new Set<string>();

  constructor(
    @multiInject(ToolContribution) @optional() contributions: readonly ToolContribution[] = [],
    @multiInject(ToolSourceContribution) @optional() private readonly sources: readonly ToolSourceContribution[] = [],
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {
    const makers = new Map([[humanAsk.name, 'the agent runtime']]);
    const tools = new Map([[humanAsk.name, humanAsk]]);
    const problems: AgentProblem[] = [];
    for (const contribution of contributions) {
      const maker = contribution.constructor.name;
      const there = makers.get(contribution.name);
      if (there === undefined) {
        makers.set(contribution.name, maker);
        tools.set(contribution.name, contributedTool(contribution));
      } else {
        problems.push({
          code: 'duplicate_tool',
          message: `Both ${there} and ${maker} provide a tool with the name "${contribution.name}". Load only one of them.`,
        });
      }
    }
    this.contributed = tools;
    this.problems = problems;
  }

  find(name: string): AgentTool | undefined {
    return this.contributed.get(name) ?? this.fromSources().get(name)?.tool;
  }

  /** Returns all tools, sorted by name. */
  all(): readonly RegisteredTool[] {
    const own = [...this.contributed.values()].map((tool): RegisteredTool => ({ tool, source: 'builtin' }));
    return [...own, ...this.fromSources().values()].sort((left, right) => (left.tool.name < right.tool.name ? -1 : 1));
  }

  /** Returns whether a missing tool may still appear: its source is late or has stopped it. */
  mayCome(name: string): boolean {
    return this.sources.some((source) => source.prefix !== undefined && name.startsWith(source.prefix));
  }

  /**
   * Returns the tools of all sources. Names that collide at run time cannot stop the server from starting, so the first
   * source keeps the name.
   */
  private fromSources(): ReadonlyMap<string, RegisteredTool> {
    const found = new Map<string, RegisteredTool>();
    for (const source of this.sources) {
      for (const tool of source.tools()) {
        const there = this.contributed.has(tool.name) ? 'builtin' : found.get(tool.name)?.source;
        if (there === undefined) found.set(tool.name, { tool, source: source.name });
        else this.tellOnce(`The tool "${tool.name}" of ${source.name} is ignored: ${there} has a tool with this name.`);
      }
    }
    return found;
  }

  private tellOnce(message: string): void {
    if (this.logged.has(message)) return;
    this.logged.add(message);
    this.log.error({}, message);
  }
}
