/**
 * Coalesces concurrent loads of the same key, and never returns a result that was read before the call.
 *
 * At most one load of a key runs and one waits. A call during a running load joins the waiting load, because the
 * running one may have read before the call. So a thousand concurrent calls cost two loads.
 */
export class CoalescingLoader<T> {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Promise<T>>();

  load(key: string, load: () => Promise<T>): Promise<T> {
    const running = this.running.get(key);
    if (running === undefined) return this.run(key, load);
    const waiting = this.waiting.get(key);
    if (waiting !== undefined) return waiting;
    const nextLoad = running.then(() => {
      this.waiting.delete(key);
      return this.run(key, load);
    });
    this.waiting.set(key, nextLoad);
    return nextLoad;
  }

  private run(key: string, load: () => Promise<T>): Promise<T> {
    const result = load();
    const settled = result.then(noop, noop).then(() => {
      if (this.running.get(key) === settled) this.running.delete(key);
    });
    this.running.set(key, settled);
    return result;
  }
}

function noop(): void {
  // The callers handle the outcome.
}
