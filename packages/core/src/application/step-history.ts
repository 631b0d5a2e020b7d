import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { StoragePort } from '../ports/storage.js';
import { StepProjection } from './project-steps.js';

const PAGE = 1_000;
/** In characters: what the cache may hold of steps and their outputs. */
const MAX_WEIGHT = 64_000_000;

/**
 * The steps of runs, folded from their events.
 *
 * What was folded is kept, so that looking again at a run of ten thousand events reads only the ones that came since.
 */
@injectable()
export class StepHistory {
  private readonly cache = new LRUCache<string, StepProjection>({
    max: 2_000,
    maxSize: MAX_WEIGHT,
    sizeCalculation: (projection) => projection.weight + 1_000,
  });

  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /**
   * The projection up to an event: never less, and more only where another reader has folded further meanwhile. Then what
   * the caller knows of the run is older than these steps, and has to be read again.
   */
  async upTo(runId: string, seq: number): Promise<StepProjection> {
    const projection = this.cache.get(runId) ?? new StepProjection();
    if (projection.seq >= seq) return projection;
    while (projection.seq < seq) {
      // Another request may fold into the same projection while this one waits; events that are in it are skipped.
      const events = await this.storage.listRunEvents(runId, projection.seq, PAGE);
      if (events.length === 0) throw new Error(`Run ${runId} has ${projection.seq} events, but its state says ${seq}.`);
      // Those that were committed since the state was read belong to a later one.
      projection.fold(events.filter((event) => event.seq <= seq));
    }
    this.cache.set(runId, projection);
    return projection;
  }

  /** Folds anew from the first event when it is asked the next time. */
  forget(runId: string): void {
    this.cache.delete(runId);
  }
}
