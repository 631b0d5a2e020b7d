import { inject, injectable } from 'inversify';
import { formatSuggestion } from '@countersign/model';
import { LoggerPort } from '../../ports/logger.js';
import { AgentDefinitions } from './agent-definitions.js';
import { AgentSettings } from './agent-settings.js';
import { ModelProviders } from './model-providers.js';
import { readAgentFiles, type AgentFile, type AgentProblem } from './read-agent-files.js';
import { ToolRegistry } from './tool-registry.js';

/** Reads the agent definitions and checks them against the available tools and model providers. */
@injectable()
export class StartAgents {
  constructor(
    @inject(AgentSettings) private readonly settings: AgentSettings,
    @inject(AgentDefinitions) private readonly definitions: AgentDefinitions,
    @inject(ModelProviders) private readonly providers: ModelProviders,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
    @inject(LoggerPort) private readonly log: LoggerPort,
  ) {}

  /** @returns all problems; if there are none, the definitions have been activated */
  async execute(): Promise<readonly AgentProblem[]> {
    const { agents, problems } = await readAgentFiles(this.settings.directories, this.settings.defaultModel);
    const allProblems = [
      ...this.registry.problems,
      ...this.providers.problems,
      ...problems,
      ...agents.flatMap((agent) => [...this.findModelProblems(agent), ...this.findToolProblems(agent)]),
    ];
    if (allProblems.length === 0) await this.definitions.activate(agents);
    return allProblems;
  }

  private findModelProblems({ definition: { model, budget }, file, findLine }: AgentFile): AgentProblem[] {
    const provider = this.providers.find(model.provider);
    const { ids } = this.providers;
    if (provider === undefined) {
      const hint =
        ids.length === 0
          ? ' No model providers are available: in the setting Plugins, add a plugin that provides one.'
          : formatSuggestion(model.provider, ids) || ` Available model providers: ${ids.join(', ')}.`;
      return [
        {
          code: 'agent_provider_unknown',
          message: `${file}:${findLine(['model', 'provider'])}: /model/provider: There is no model provider "${model.provider}".${hint}`,
        },
      ];
    }
    if (budget.costMicros === null) return [];
    // Without a price, the cost budget would never be exhausted.
    const unpricedModels = [model.name, ...(model.alternatives ?? [])].filter(
      (name) => provider.price(name) === undefined,
    );
    return unpricedModels.map((name) => ({
      code: 'agent_price_unknown',
      message: `${file}:${findLine(['budget', 'cost'])}: /budget/cost: The cost budget cannot be enforced, because no price is configured for the language model "${name}" of "${provider.id}".`,
    }));
  }

  private findToolProblems({ definition: { tools }, file, findLine }: AgentFile): AgentProblem[] {
    const names = this.registry.list().map(({ tool }) => tool.name);
    return tools.flatMap((name, index): AgentProblem[] => {
      if (names.includes(name)) return [];
      const message = `${file}:${findLine(['tools', index])}: /tools/${index}: There is no tool "${name}".`;
      if (!this.registry.mayBecomeAvailable(name))
        return [
          {
            code: 'agent_tool_unknown',
            message: `${message}${formatSuggestion(name, names) || ` Available tools: ${names.join(', ')}.`}`,
          },
        ];
      this.log.warn(
        {},
        `${message} Its source does not currently provide it. The agent works without the tool until the source provides it.`,
      );
      return [];
    });
  }
}
