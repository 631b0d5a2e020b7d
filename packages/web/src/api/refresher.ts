import type { QueryClient, QueryKey } from '@tanstack/react-query';

interface Refresh {
  /** Whether something changed after the refresh under way had begun. */
  again: boolean;
}

/**
 * Loads again what is shown, once things changed: at once for the first change, and while an answer is under way or
 * `restMs` have not passed, once for all changes that came meanwhile. So one change is on the screen as fast as the server
 * answers, and a thousand cost no more than a few requests.
 */
export class Refresher {
  private readonly running = new Map<string, Refresh>();

  constructor(private readonly queries: QueryClient) {}

  touch(queryKey: QueryKey, restMs: number): void {
    const id = JSON.stringify(queryKey);
    const running = this.running.get(id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const refresh: Refresh = { again: false };
    this.running.set(id, refresh);
    const rested = new Promise<void>((resolve) => setTimeout(resolve, restMs));
    const loaded = this.queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    void Promise.allSettled([rested, loaded]).then(() => {
      this.running.delete(id);
      if (refresh.again) this.touch(queryKey, restMs);
    });
  }
}
