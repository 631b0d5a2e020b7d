/** What is being loaded for the window, by id: a vote or an answer that overtakes it waits here. */
export class Loads {
  private readonly pending = new Map<string, Set<Promise<unknown>>>();

  /** @param load settles once what came of it is recorded */
  begin(id: string, load: Promise<unknown>): void {
    const loads = this.pending.get(id) ?? new Set();
    this.pending.set(id, loads.add(load));
    const end = (): void => {
      loads.delete(load);
      if (loads.size === 0) this.pending.delete(id);
    };
    load.then(end, end);
  }

  /** Resolves once all that is being loaded of it now has come or failed. */
  async settled(id: string): Promise<void> {
    await Promise.allSettled(this.pending.get(id) ?? []);
  }
}
