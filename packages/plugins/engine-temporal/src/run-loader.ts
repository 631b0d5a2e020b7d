import type { StoragePort } from '@countersign/core/ports';
import { type CachedRun, toCachedRun } from '@countersign/engine';
import { ActivityRefusal } from './run-activity.js';

export interface RunLoaderParts {
  readonly storage: Pick<StoragePort, 'loadRuns'>;
  /** Runs as this process last saw them. */
  readonly cache: { get(runId: string): CachedRun | undefined; put(runId: string, run: CachedRun): void };
  readonly prefix: string;
}

/** Loads runs for activities, from the cache of this process if possible: the states of runs can be large. */
export class RunLoader {
  constructor(private readonly parts: RunLoaderParts) {}

  /**
   * @param isSufficient whether a state, which may be outdated, is new enough
   * @throws {ActivityRefusal} if the run does not exist
   */
  async load(runId: string, isSufficient: (run: CachedRun) => boolean): Promise<CachedRun> {
    const { storage, cache, prefix } = this.parts;
    const cached = cache.get(runId);
    if (cached !== undefined && isSufficient(cached)) return cached;
    const stored = (await storage.loadRuns([runId])).get(runId);
    if (stored === undefined)
      throw new ActivityRefusal(
        `The run ${runId} is not in the database of this server. Another installation seems to use the same namespace and Engine:Temporal:TaskQueuePrefix ("${prefix}"). Give each installation its own prefix.`,
      );
    const run = toCachedRun(stored);
    cache.put(runId, run);
    return run;
  }
}
