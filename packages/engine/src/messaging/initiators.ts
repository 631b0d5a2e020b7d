import { LRUCache } from 'lru-cache';
import type { Json } from '@countersign/core/plugin';
import type { ClaimedMessage, StoragePort } from '@countersign/core/ports';
import { type Actor, isJsonObject, SYSTEM_ACTOR } from '@countersign/model';

/**
 * Lookup of the initiators of runs. A run started by another run has the same initiator as that run. Otherwise a person
 * could start a run that starts another, and vote on the approvals of the second.
 */
export class Initiators {
  private readonly initiatorsByRun = new LRUCache<string, Promise<Actor>>({ max: 1_000 });

  constructor(private readonly storage: Pick<StoragePort, 'listRunEvents' | 'findRun'>) {}

  async findInitiator({ runId, actor }: Pick<ClaimedMessage, 'runId' | 'actor'>): Promise<Actor> {
    return runId === null ? (actor ?? SYSTEM_ACTOR) : this.findInitiatorOfRun(runId);
  }

  private findInitiatorOfRun(runId: string): Promise<Actor> {
    const known = this.initiatorsByRun.get(runId);
    if (known !== undefined) return known;
    const initiator = this.readInitiator(runId);
    this.initiatorsByRun.set(runId, initiator);
    initiator.catch(() => this.initiatorsByRun.delete(runId));
    return initiator;
  }

  private async readInitiator(runId: string): Promise<Actor> {
    const [started] = await this.storage.listRunEvents(runId, 0, 1);
    const recorded = readActor(started?.private?.actor);
    if (recorded !== undefined) return recorded;
    // The name was erased; the id is in the row of the run.
    const found = await this.storage.findRun(runId);
    return found === undefined ? SYSTEM_ACTOR : { type: 'user', id: found.run.startedBy, name: null };
  }
}

function readActor(value: Json | undefined): Actor | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { type, id, name, onBehalfOf } = value;
  if ((type !== 'user' && type !== 'service' && type !== 'system') || typeof id !== 'string') return undefined;
  return {
    type,
    id,
    name: typeof name === 'string' ? name : null,
    ...(typeof onBehalfOf === 'string' ? { onBehalfOf } : {}),
  };
}
