import type { QueryKey } from '@tanstack/react-query';
import { pauseFor, type Pause } from './pause-for.js';

interface Refresh {
  /** Whether something changed after the current refresh had started. */
  isStale: boolean;
}

/**
 * First pause in a series of changes, as a share of the longest pause: related changes arrive shortly after each other.
 */
const FIRST_PAUSE_RATIO = 1 / 8;

/**
 * Reloads displayed data after changes: immediately for the first change, then once for all changes that arrive during
 * a request or a pause. While changes continue, pauses grow up to `maxPauseMs`. A change appears as fast as the server
 * responds, and a thousand changes cost only a few requests.
 */
export class Refresher {
  private readonly refreshes = new Map<string, Refresh>();

  /** @param load reloads the queries whose keys start with this prefix */
  constructor(
    private readonly load: (queryKey: QueryKey) => Promise<void>,
    private readonly pause: Pause = pauseFor,
  ) {}

  invalidate(queryKey: QueryKey, maxPauseMs: number): void {
    this.refresh(queryKey, maxPauseMs * FIRST_PAUSE_RATIO, maxPauseMs);
  }

  private refresh(queryKey: QueryKey, nextPauseMs: number, maxPauseMs: number): void {
    const id = JSON.stringify(queryKey);
    const activeRefresh = this.refreshes.get(id);
    if (activeRefresh !== undefined) {
      activeRefresh.isStale = true;
      return;
    }
    const refresh: Refresh = { isStale: false };
    this.refreshes.set(id, refresh);
    const pauseEnd = this.pause(nextPauseMs);
    const loadEnd = this.load(queryKey);
    void Promise.allSettled([pauseEnd, loadEnd]).then(() => {
      this.refreshes.delete(id);
      if (refresh.isStale) this.refresh(queryKey, Math.min(maxPauseMs, nextPauseMs * 2), maxPauseMs);
    });
  }
}
