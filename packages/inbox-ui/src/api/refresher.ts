import type { QueryKey } from '@tanstack/react-query';

interface Refresh {
  /** Whether something changed after the current refresh had started. */
  again: boolean;
}

/** First pause in a series of changes, as a share of the longest pause: related changes arrive within moments. */
const FIRST_REST = 1 / 8;

type Rest = (ms: number) => Promise<void>;

const rest: Rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reloads displayed data after changes: immediately for the first change, then once for all changes that arrive during
 * a request or a pause. While changes continue, pauses grow up to `restMs`. A change appears as fast as the server
 * responds, and a thousand changes cost only a few requests.
 */
export class Refresher {
  private readonly running = new Map<string, Refresh>();

  /** @param load reloads the queries whose keys start with this prefix */
  constructor(
    private readonly load: (queryKey: QueryKey) => Promise<void>,
    private readonly resting: Rest = rest,
  ) {}

  invalidate(queryKey: QueryKey, restMs: number): void {
    this.refresh(queryKey, restMs * FIRST_REST, restMs);
  }

  private refresh(queryKey: QueryKey, nextRestMs: number, restMs: number): void {
    const id = JSON.stringify(queryKey);
    const running = this.running.get(id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const refresh: Refresh = { again: false };
    this.running.set(id, refresh);
    const rested = this.resting(nextRestMs);
    const loaded = this.load(queryKey);
    void Promise.allSettled([rested, loaded]).then(() => {
      this.running.delete(id);
      if (refresh.again) this.refresh(queryKey, Math.min(restMs, nextRestMs * 2), restMs);
    });
  }
}
