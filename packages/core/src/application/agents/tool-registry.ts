import { inject, injectable, multiInject, optional } from 'inversify';
import { ToolContribution } from '../../contributions/tool.js';
import { ToolSourceContribution, type AgentTool } from '../../contributions/tool-source.js';
import { LoggerPort } from '../../ports/logger.js';
import { toAgentTool } from './to-agent-tool.js';
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
  /** Problems with contributions whose name is already taken. */
  readonly problems: readonly AgentProblem[];
  private readonly contributedTools: ReadonlyMap<string, AgentTool>;
  private readonly loggedMessages = new Set<string>();

  constructor(
    @multiInject(ToolContribution) @optional() contributions: readonly ToolContribution[] = [],
    @multiInject(ToolSourceContribution) @optional() private readonly sources: readonly ToolSourceContribution[] = [],
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {
    const providerByTool = new Map([[humanAsk.name, 'the agent runtime']]);
    const tools = new Map([[humanAsk.name, humanAsk]]);
    const problems: AgentProblem[] = [];
    for (const contribution of contributions) {
      const provider = contribution.constructor.name;
      const existingProvider = providerByTool.get(contribution.name);
      if (existingProvider === undefined) {
        providerByTool.set(contribution.name, provider);
        tools.set(contribution.name, toAgentTool(contribution));
      } else {
        problems.push({
          code: 'duplicate_tool',
          message: `Both ${existingProvider} and ${provider} provide a tool with the name "${contribution.name}". Load only one of them.`,
        });
      }
    }
    this.contributedTools = tools;
    this.problems = problems;
  }

  find(name: string): AgentTool | undefined {
    return this.contributedTools.get(name) ?? this.toolsFromSources().get(name)?.tool;
  }

  /** Returns all tools, sorted by name. */
  list(): readonly RegisteredTool[] {
    const contributedTools = [...this.contributedTools.values()].map((tool): RegisteredTool => ({
      tool,
      source: 'builtin',
    }));
    return [...contributedTools, ...this.toolsFromSources().values()].sort((left, right) =>
      left.tool.name < right.tool.name ? -1 : 1,
    );
  }

  /** Returns whether a missing tool may still become available: its source has not loaded it yet or has stopped it. */
  mayBecomeAvailable(name: string): boolean {
    return this.sources.some((source) => source.prefix !== undefined && name.startsWith(source.prefix));
  }

  /**
   * Returns the tools of all sources. A name collision at run time must not stop the server, so the first source keeps
   * the name.
   */
  private toolsFromSources(): ReadonlyMap<string, RegisteredTool> {
    const toolByName = new Map<string, RegisteredTool>();
    for (const source of this.sources) {
      for (const tool of source.tools()) {
        const existingSource = this.contributedTools.has(tool.name) ? 'builtin' : toolByName.get(tool.name)?.source;
        if (existingSource === undefined) toolByName.set(tool.name, { tool, source: source.name });
        else
          this.logOnce(
            `The tool "${tool.name}" of ${source.name} is ignored: ${existingSource} has a tool with this name.`,
          );
      }
    }
    return toolByName;
  }

  private logOnce(message: string): void {
    if (this.loggedMessages.has(message)) return;
    this.loggedMessages.add(message);
    this.log.error({}, message);
  }
}
