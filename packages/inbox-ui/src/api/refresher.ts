import type { QueryKey } from '@tanstack/react-query';

interface Refresh {
  /** Whether something changed after the refresh under way had begun. */
  again: boolean;
}

/** The first rest of a row of changes, as a share of the longest one: what one thing brings about comes within moments. */
const FIRST_REST = 1 / 8;

type Rest = (ms: number) => Promise<void>;

const rest: Rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Loads again what is shown, once things changed: at once for the first change, and while an answer is under way or a rest
 * has not passed, once for all changes that came meanwhile. As long as changes go on, rests grow up to `restMs`. So what
 * changes is on the screen as fast as the server answers, and a thousand changes cost no more than a few requests.
 */
export class Refresher {
  private readonly running = new Map<string, Refresh>();

  /** @param load loads what has a key of this beginning again */
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
