import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import type { RunSnapshot } from '../ports/run-snapshot.js';
import { StoragePort } from '../ports/storage.js';
import { StepProjection } from './step-projection.js';

const PAGE_SIZE = 1_000;
/** Maximum size of the cached steps and their outputs, in characters. */
const MAX_CACHED_CHARACTERS = 64_000_000;

/** Position of a run, taken from its state. */
type RunPosition = Pick<RunSnapshot, 'runId' | 'seq' | 'erasedAt'>;

/**
 * Cache of the steps of runs, folded from their events. A later read, even of a run with ten thousand events, loads
 * only the events that were added since.
 */
@injectable()
export class StepHistory {
  private readonly cache = new LRUCache<string, StepProjection>({
    max: 2_000,
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (projection) => projection.weight + 1_000,
  });

  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /**
   * Returns the projection up to an event, or further if another reader has folded further. In that case the caller's
   * state is older than the steps and must be read again.
   *
   * @param erasedAt the value in the state of the run; steps folded before an erasure are not returned after it
   */
  async project({ runId, seq, erasedAt = 0 }: RunPosition): Promise<StepProjection> {
    const key = cacheKey({ runId, erasedAt });
    if (erasedAt > 0) this.#deleteProjectionsBeforeErasure(runId, erasedAt);
    const projection = this.cache.get(key) ?? new StepProjection();
    if (projection.seq >= seq) return projection;
    while (projection.seq < seq) {
      // Another request may fold into the same projection during this read; events already applied are skipped.
      const events = await this.storage.listRunEvents(runId, projection.seq, PAGE_SIZE);
      if (events.length === 0)
        throw new Error(`Run ${runId} has ${projection.seq} events, but its state expects ${seq}.`);
      // Events committed after the state was read belong to a later state.
      projection.applyAll(events.filter((event) => event.seq <= seq));
    }
    this.cache.set(key, projection);
    return projection;
  }

  /** Removes a run from the cache, so that the next call folds from the first event. */
  invalidate(run: Omit<RunPosition, 'seq'>): void {
    this.cache.delete(cacheKey(run));
  }

  #deleteProjectionsBeforeErasure(runId: string, erasedAt: number): void {
    const currentKey = cacheKey({ runId, erasedAt });
    for (const key of this.cache.keys()) if (key.startsWith(`${runId}:`) && key !== currentKey) this.cache.delete(key);
  }
}

function cacheKey({ runId, erasedAt = 0 }: Omit<RunPosition, 'seq'>): string {
  return `${runId}:${erasedAt}`;
}
