/**
 * Loads in progress for the window, by id of the approval or question. A vote or an answer waits until they have
 * settled.
 */
export class PendingLoads {
  private readonly pending = new Map<string, Set<Promise<unknown>>>();

  /** @param load settles once its result is recorded */
  track(id: string, load: Promise<unknown>): void {
    const loads = this.pending.get(id) ?? new Set();
    this.pending.set(id, loads.add(load));
    const onSettled = (): void => {
      loads.delete(load);
      if (loads.size === 0) this.pending.delete(id);
    };
    load.then(onSettled, onSettled);
  }

  /** Resolves once all current loads of the id have succeeded or failed. */
  async waitFor(id: string): Promise<void> {
    await Promise.allSettled(this.pending.get(id) ?? []);
  }
}
