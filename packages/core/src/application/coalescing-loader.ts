/**
 * Coalesces concurrent loads of the same key, and never returns a result that was read before the call.
 *
 * At most one load of a key runs and one waits. A call during a running load joins the waiting load, because the
 * running load may have read before the call. For example, a thousand concurrent calls cause two loads.
 */
export class CoalescingLoader<T> {
  private readonly runningLoads = new Map<string, Promise<unknown>>();
  private readonly waitingLoads = new Map<string, Promise<T>>();

  load(key: string, load: () => Promise<T>): Promise<T> {
    const runningLoad = this.runningLoads.get(key);
    if (runningLoad === undefined) return this.run(key, load);
    const waitingLoad = this.waitingLoads.get(key);
    if (waitingLoad !== undefined) return waitingLoad;
    const nextLoad = runningLoad.then(() => {
      this.waitingLoads.delete(key);
      return this.run(key, load);
    });
    this.waitingLoads.set(key, nextLoad);
    return nextLoad;
  }

  private run(key: string, load: () => Promise<T>): Promise<T> {
    const result = load();
    const settled = result.then(noop, noop).then(() => {
      if (this.runningLoads.get(key) === settled) this.runningLoads.delete(key);
    });
    this.runningLoads.set(key, settled);
    return result;
  }
}

function noop(): void {
  // The callers of `load` handle results and errors.
}
