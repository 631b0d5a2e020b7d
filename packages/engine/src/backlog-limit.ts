import { ApiError } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';

/** Age from which the backlog is counted again, in ms. */
const MAX_AGE_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits the announcements that wait for an external engine: while there are too many, requests to start runs are refused,
 * so that each run does not wait for more and more others. Starts by messages, timers and other runs are not refused.
 */
export class BacklogLimit {
  private readonly backlogs = new Map<string, { count: number; countedAt: number }>();

  constructor(
    private readonly storage: Pick<StoragePort, 'countAnnouncements'>,
    private readonly getMaxCount: () => number,
  ) {}

  /** Returns the error with which a request to start a run of the engine is refused; `undefined` if it is not. */
  async findRefusal(engine: string): Promise<ApiError | undefined> {
    const backlog = this.backlogs.get(engine) ?? { count: 0, countedAt: -Infinity };
    this.backlogs.set(engine, backlog);
    if (performance.now() - backlog.countedAt > MAX_AGE_MS) {
      backlog.countedAt = performance.now();
      ({ count: backlog.count } = await this.storage.countAnnouncements(engine));
    }
    if (backlog.count < this.getMaxCount()) return undefined;
    return new ApiError(
      'service_unavailable',
      `No run can be started now, because ${backlog.count} announcements wait for the engine "${engine}". Votes and other commands are still accepted. An operator can find the cause with GET /api/health/engine on a server with this engine.`,
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }
}
