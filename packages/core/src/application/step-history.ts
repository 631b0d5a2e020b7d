import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import type { RunState } from '@countersign/model';
import { StoragePort } from '../ports/storage.js';
import { StepProjection } from './project-steps.js';

const PAGE = 1_000;
/** In characters: what the cache may hold of steps and their outputs. */
const MAX_WEIGHT = 64_000_000;

/** What is known of a run by its state. */
type RunPosition = Pick<RunState, 'runId' | 'seq' | 'erasedAt'>;

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
   *
   * @param erasedAt as in the state of the run: what was folded before an erasure is not shown after it
   */
  async upTo({ runId, seq, erasedAt = 0 }: RunPosition): Promise<StepProjection> {
    const key = keyOf({ runId, erasedAt });
    if (erasedAt > 0) this.#forgetBefore(runId, erasedAt);
    const projection = this.cache.get(key) ?? new StepProjection();
    if (projection.seq >= seq) return projection;
    while (projection.seq < seq) {
      // Another request may fold into the same projection while this one waits; events that are in it are skipped.
      const events = await this.storage.listRunEvents(runId, projection.seq, PAGE);
      if (events.length === 0) throw new Error(`Run ${runId} has ${projection.seq} events, but its state says ${seq}.`);
      // Those that were committed since the state was read belong to a later one.
      projection.fold(events.filter((event) => event.seq <= seq));
    }
    this.cache.set(key, projection);
    return projection;
  }

  /** Folds anew from the first event when it is asked the next time. */
  forget(run: Omit<RunPosition, 'seq'>): void {
    this.cache.delete(keyOf(run));
  }

  #forgetBefore(runId: string, erasedAt: number): void {
    const kept = keyOf({ runId, erasedAt });
    for (const key of this.cache.keys()) if (key.startsWith(`${runId}:`) && key !== kept) this.cache.delete(key);
  }
}

function keyOf({ runId, erasedAt = 0 }: Omit<RunPosition, 'seq'>): string {
  return `${runId}:${erasedAt}`;
}
