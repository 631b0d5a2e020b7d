import { inject, injectable } from 'inversify';
import type { AgentCatalogue, AgentInForce, ToolInForce } from '../../ports/agent-catalogue.js';
import { AgentDefinitions } from './agent-definitions.js';
import { ToolRegistry } from './tool-registry.js';

/** Catalogue of the agents and tools of the built-in runtime. */
@injectable()
export class BuiltInAgentCatalogue implements AgentCatalogue {
  constructor(
    @inject(AgentDefinitions) private readonly definitions: AgentDefinitions,
    @inject(ToolRegistry) private readonly registry: ToolRegistry,
  ) {}

  agents(): readonly AgentInForce[] {
    return this.definitions.all();
  }

  tools(): readonly ToolInForce[] {
    return this.registry
      .all()
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
