import { inject, injectable } from 'inversify';
import { recordedActor } from '../../domain/principal.js';
import { CountersignError } from '../../errors/countersign-error.js';
import { AgentCatalogue, ToolPinPort, type ToolPin } from '../../ports/agent-catalogue.js';
import { ClockPort } from '../../ports/clock.js';
import type { PageRequest } from '../../ports/records.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { pageOf } from '../page-in-memory.js';
import type { PageView } from '../run-queries.js';
import { agentDefinitionView, pinnedToolView, toolInForceView, type AgentDefinitionView, type ToolView } from '../views/agent-catalogue-view.js';

/** The agents and tools of this server, and those tools of others that somebody has to look at. */
@injectable()
export class AgentCatalogueQueries {
  constructor(
    @inject(AgentCatalogue) private readonly catalogue: AgentCatalogue,
    @inject(ToolPinPort) private readonly pins: ToolPinPort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** By name. */
  agents(page: PageRequest): PageView<AgentDefinitionView> {
    return paged(this.catalogue.agents().map(agentDefinitionView), 'agents', page);
  }

  /** By name: what agents may call, and what is stopped. */
  async tools(page: PageRequest): Promise<PageView<ToolView>> {
    const pinned = await this.pins.list();
    const names = new Set(pinned.map(({ name }) => name));
    const own = this.catalogue.tools().filter(({ name }) => !names.has(name));
    const tools = [...own.map(toolInForceView), ...pinned.map(pinnedToolView)];
    return paged(tools.sort((a, b) => (a.name < b.name ? -1 : 1)), 'tools', page);
  }

  /** @throws {CountersignError} `tool_not_found`; `stale_digest` where its source offers another one by now */
  async accept(name: string, digest: string, { actor, from, traceId }: Caller): Promise<ToolView> {
    const pin = (await this.pins.list()).find((each) => each.name === name);
    const entry = { at: this.clock.now(), actor: recordedActor(actor), action: 'tool.accept', target: { type: 'tool', id: name }, from };
    const refusal = refusalOf(pin, name, digest);
    // Recorded before it is done: an acceptance that nobody finds in the audit trail must not be.
    const data = { traceId, digest, before: pin?.accepted?.digest ?? null, ...(refusal === undefined ? {} : { code: refusal.code }) };
    await this.storage.appendAudit([{ ...entry, result: refusal === undefined ? 'ok' : 'refused', data }]);
    if (refusal !== undefined) throw refusal;
    try {
      return pinnedToolView(await this.pins.accept(name, digest, actor));
    } catch (error) {
      const code = error instanceof CountersignError ? error.code : 'internal_error';
      await this.storage.appendAudit([{ ...entry, result: 'failed', data: { ...data, code } }]);
      throw error;
    }
  }
}

function refusalOf(pin: ToolPin | undefined, name: string, digest: string): CountersignError | undefined {
  if (pin === undefined) return new CountersignError('tool_not_found', `No source offers a tool "${name}" that would have to be accepted.`);
  if (pin.offered?.digest === digest) return undefined;
  const now = pin.offered?.digest ?? null;
  return new CountersignError('stale_digest', now === null ? `"${name}" is not offered now.` : `"${name}" is offered otherwise than you have seen it.`, { digest: now });
}

function paged<T extends { name: string }>(items: readonly T[], list: string, request: PageRequest): PageView<T> {
  const { items: chosen, nextCursor } = pageOf(items, list, ({ name }) => name, request);
  return { items: [...chosen], nextCursor };
}
