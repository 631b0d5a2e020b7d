import { LRUCache } from 'lru-cache';
import { SYSTEM_ACTOR } from '@countersign/core/engine';
import { isJsonObject, type Actor, type ClaimedMessage, type Json, type StoragePort } from '@countersign/core/plugin';

/**
 * Who is answerable for what a run begets: whoever started it. Otherwise one could start a run that starts another, and
 * decide the approvals of that one.
 */
export class Answerable {
  private readonly starters = new LRUCache<string, Promise<Actor>>({ max: 1_000 });

  constructor(private readonly storage: Pick<StoragePort, 'listRunEvents' | 'findRun'>) {}

  async forMessage({ runId, actor }: Pick<ClaimedMessage, 'runId' | 'actor'>): Promise<Actor> {
    return runId === null ? (actor ?? SYSTEM_ACTOR) : this.starterOf(runId);
  }

  private starterOf(runId: string): Promise<Actor> {
    const known = this.starters.get(runId);
    if (known !== undefined) return known;
    const starter = this.readStarter(runId);
    this.starters.set(runId, starter);
    starter.catch(() => this.starters.delete(runId));
    return starter;
  }

  private async readStarter(runId: string): Promise<Actor> {
    const [started] = await this.storage.listRunEvents(runId, 0, 1);
    const recorded = readActor(started?.private?.actor);
    if (recorded !== undefined) return recorded;
    // The name was erased; the id stands in the run's row.
    const found = await this.storage.findRun(runId);
    return found === undefined ? SYSTEM_ACTOR : { type: 'user', id: found.run.startedBy, name: null };
  }
}

function readActor(value: Json | undefined): Actor | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { type, id, name } = value;
  if ((type !== 'user' && type !== 'service' && type !== 'system') || typeof id !== 'string') return undefined;
  return { type, id, name: typeof name === 'string' ? name : null };
}
