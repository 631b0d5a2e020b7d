import { injectable, multiInject, optional } from 'inversify';
import { TerminalFailure } from '../../contributions/job-handler.js';
import { ModelProviderContribution } from '../../contributions/model-provider.js';
import type { AgentProblem } from './read-agent-files.js';

/** Model providers of this server, by id. */
@injectable()
export class ModelProviders {
  /** One problem for each provider whose id is already taken. */
  readonly problems: readonly AgentProblem[];
  private readonly byId = new Map<string, ModelProviderContribution>();

  constructor(
    @multiInject(ModelProviderContribution) @optional() contributions: readonly ModelProviderContribution[] = [],
  ) {
    const problems: AgentProblem[] = [];
    for (const provider of contributions) {
      const existing = this.byId.get(provider.id);
      if (existing === undefined) this.byId.set(provider.id, provider);
      else
        problems.push({
          code: 'duplicate_model_provider',
          message: `Both ${existing.constructor.name} and ${provider.constructor.name} provide the model provider "${provider.id}". Load only one of them.`,
        });
    }
    this.problems = problems;
  }

  get ids(): readonly string[] {
    return [...this.byId.keys()];
  }

  list(): readonly ModelProviderContribution[] {
    return [...this.byId.values()];
  }

  find(id: string): ModelProviderContribution | undefined {
    return this.byId.get(id);
  }

  /** @throws {TerminalFailure} `model_provider_unknown` */
  get(id: string): ModelProviderContribution {
    const provider = this.byId.get(id);
    if (provider !== undefined) return provider;
    throw new TerminalFailure(
      'model_provider_unknown',
      `This server has no model provider "${id}". Available model providers: ${this.ids.join(', ') || 'none'}.`,
    );
  }
}
