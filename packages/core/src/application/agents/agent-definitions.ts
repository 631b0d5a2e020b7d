import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { type AgentDefinition, formatSuggestion } from '@countersign/model';
import { TerminalFailure } from '../../contributions/job-handler.js';
import type { AvailableAgent } from '../../ports/agent-catalogue.js';
import { DefinitionStore } from '../../ports/definitions.js';
import type { AgentFile } from './read-agent-files.js';

/** Agent definitions of this server, and those pinned by steps that started earlier. */
@injectable()
export class AgentDefinitions {
  private files: readonly AgentFile[] = [];
  private readonly storedByDigest = new LRUCache<string, AgentDefinition>({ max: 500 });

  constructor(@inject(DefinitionStore) private readonly store: DefinitionStore) {}

  /** Returns the current definitions, sorted by name. */
  list(): readonly AvailableAgent[] {
    return this.files.map(({ definition, digest }) => ({ definition, digest }));
  }

  /** Stores definitions, so that their steps can continue after the files are removed, and then makes them current. */
  async activate(files: readonly AgentFile[]): Promise<void> {
    const definitions = files.map(({ definition, digest }) => ({
      kind: 'agent' as const,
      name: definition.name,
      digest,
      content: JSON.parse(JSON.stringify(definition)),
    }));
    if (definitions.length > 0) await this.store.saveDefinitions(definitions);
    this.files = [...files].sort((left, right) => (left.definition.name < right.definition.name ? -1 : 1));
  }

  /**
   * Returns the definition that a new step starts with.
   *
   * @throws {TerminalFailure} `agent_unknown`
   */
  requireCurrent(name: string): AvailableAgent {
    const found = this.files.find(({ definition }) => definition.name === name);
    if (found !== undefined) return found;
    const names = this.files.map(({ definition }) => definition.name);
    const hint =
      names.length === 0
        ? ' This server has no agents: set Agents:Directory to a directory with agent definitions.'
        : formatSuggestion(name, names) || ` Known agents: ${names.join(', ')}.`;
    throw new TerminalFailure('agent_unknown', `There is no agent "${name}".${hint}`);
  }

  /**
   * Returns the definition that a step started with.
   *
   * @throws {TerminalFailure} `agent_definition_lost`
   */
  async findByDigest(digest: string): Promise<AvailableAgent> {
    const definition =
      this.files.find((file) => file.digest === digest)?.definition ??
      this.storedByDigest.get(digest) ??
      (await this.loadStored(digest));
    return { definition, digest };
  }

  private async loadStored(digest: string): Promise<AgentDefinition> {
    const found = await this.store.findDefinition('agent', digest);
    if (found === undefined)
      throw new TerminalFailure(
        'agent_definition_lost',
        `The agent definition ${digest} that this step started with is not stored.`,
      );
    const definition = found.content as unknown as AgentDefinition;
    this.storedByDigest.set(digest, definition);
    return definition;
  }
}
