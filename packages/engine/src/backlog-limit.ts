import { LRUCache } from 'lru-cache';
import { ApiError } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';

/** Age from which a backlog is counted again, in ms. */
const MAX_AGE_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the announcements that wait for an external engine: while there are too many, requests to start runs are refused,
 * so that each run does not wait for more and more others. Starts by messages, timers and other runs are not refused.
 */
export class BacklogLimit {
  /** Numbers of announcements by engine. */
  private readonly backlogs: LRUCache<string, number>;

  constructor(
    storage: Pick<StoragePort, 'countAnnouncements'>,
    private readonly getMaxCount: () => number,
  ) {
    this.backlogs = new LRUCache({
      max: 100,
      ttl: MAX_AGE_MS,
      fetchMethod: async (engine: string) => (await storage.countAnnouncements(engine)).count,
    });
  }

  /** Returns the error with which a request to start a run of the engine is refused; `undefined` if it is not. */
  async findRefusal(engine: string): Promise<ApiError | undefined> {
    const count = (await this.backlogs.fetch(engine)) ?? 0;
    if (count < this.getMaxCount()) return undefined;
    return new ApiError(
      'service_unavailable',
      `No run can be started now, because ${count} announcements wait for the engine "${engine}". Votes and other commands are still accepted. An operator can find the cause with GET /api/health/engine on a server with this engine.`,
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }
}
