import { inject, injectable } from 'inversify';
import { isApiError, toRecordedActor } from '@countersign/model';
import { AgentCatalogue, ToolPinPort } from '../../ports/agent-catalogue.js';
import { ClockPort } from '../../ports/clock.js';
import type { PageRequest } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { paginate } from '../paginate.js';
import type { PageView } from '../run-queries.js';
import {
  toAgentDefinitionView,
  toPinnedToolView,
  toUnpinnedToolView,
  type AgentDefinitionView,
  type ToolView,
} from '../views/agent-catalogue-view.js';

/** Queries for the agents and tools of this server; also accepts external tools after a review. */
@injectable()
export class AgentCatalogueQueries {
  constructor(
    @inject(AgentCatalogue) private readonly catalogue: AgentCatalogue,
    @inject(ToolPinPort) private readonly pins: ToolPinPort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** Returns the agents, sorted by name. */
  listAgents(page: PageRequest): PageView<AgentDefinitionView> {
    return paginateByName(this.catalogue.agents().map(toAgentDefinitionView), 'agents', page);
  }

  /** Returns the callable tools and the stopped external tools, sorted by name. */
  async listTools(page: PageRequest): Promise<PageView<ToolView>> {
    const pins = await this.pins.list();
    const toolByName = new Map(this.catalogue.tools().map((tool) => [tool.name, tool]));
    const pinnedViews = pins.map((pin) => toPinnedToolView(pin, toolByName.get(pin.name)));
    for (const { name } of pins) toolByName.delete(name);
    const tools = [...[...toolByName.values()].map(toUnpinnedToolView), ...pinnedViews];
    return paginateByName(
      tools.sort((a, b) => (a.name < b.name ? -1 : 1)),
      'tools',
      page,
    );
  }

  /**
   * Accepts the digest of an external tool. Records a refusal in the audit chain.
   *
   * @throws {ApiError} `tool_not_found`, or `stale_digest` if the source now offers a different version of the tool
   */
  async acceptTool(name: string, digest: string, { actor, from, traceId }: Caller): Promise<ToolView> {
    try {
      return toPinnedToolView(await this.pins.acceptTool(name, digest, actor));
    } catch (error) {
      if (!isApiError(error)) throw error;
      const target = { type: 'tool', id: name };
      const data = { traceId, digest, code: error.code };
      await this.storage.appendAudit([
        {
          at: this.clock.now(),
          actor: toRecordedActor(actor),
          action: 'tool.accept',
          target,
          result: 'refused',
          from,
          data,
        },
      ]);
      throw error;
    }
  }
}

function paginateByName<T extends { name: string }>(
  items: readonly T[],
  listName: string,
  request: PageRequest,
): PageView<T> {
  const { items: pageItems, nextCursor } = paginate(items, listName, ({ name }) => name, request);
  return { items: [...pageItems], nextCursor };
}
