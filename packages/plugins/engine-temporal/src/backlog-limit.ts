import { ApiError } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';

/** Age from which the backlog is counted again, in ms. */
const MAX_AGE_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Refuses requests to start runs while too many announcements wait for the cluster, so that each run does not wait for
 * more and more others. Starts by messages, timers and other runs are not refused.
 */
export class BacklogLimit {
  private count = 0;
  private countedAt = -Infinity;

  constructor(
    private readonly engine: string,
    private readonly storage: Pick<StoragePort, 'countAnnouncements'>,
    private readonly maxCount: number,
  ) {}

  /** @throws {ApiError} `service_unavailable` */
  async requireCapacity(): Promise<void> {
    if (performance.now() - this.countedAt > MAX_AGE_MS) {
      this.countedAt = performance.now();
      ({ count: this.count } = await this.storage.countAnnouncements(this.engine));
    }
    if (this.count < this.maxCount) return;
    throw new ApiError(
      'service_unavailable',
      `No run can be started now, because ${this.count} announcements wait for the Temporal cluster. Votes and other commands are still accepted. An operator can find the cause with GET /api/health/engine.`,
      { retryAfter: RETRY_AFTER_SECONDS },
    );
  }
}
