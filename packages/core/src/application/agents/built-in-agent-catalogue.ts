import { inject, injectable } from 'inversify';
import type { AgentCatalogue, AvailableAgent, AvailableTool } from '../../ports/agent-catalogue.js';
import { AgentDefinitions } from './agent-definitions.js';
import { ToolRegistry } from './tool-registry.js';

/** Catalogue of the agents and tools of the built-in runtime. */
@injectable()
export class BuiltInAgentCatalogue implements AgentCatalogue {
  constructor(
    @inject(AgentDefinitions) private readonly definitions: AgentDefinitions,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
  ) {}

  agents(): readonly AvailableAgent[] {
    return this.definitions.list();
  }

  tools(): readonly AvailableTool[] {
    return this.registry
      .list()
      .map(({ tool: { name, description, inputSchema, effect, reversible, digest }, source }) => ({
        name,
        source,
        description,
        inputSchema,
        effect,
        reversible,
        digest,
      }));
  }
}
