/**
 * Coalesces concurrent loads of the same key, and never gives a caller a result that was read before it asked.
 *
 * At most one load of a key runs and one waits behind it; whoever asks while one runs joins the one that waits, since the
 * running one may have read before the caller asked. So a thousand callers at once cost two loads.
 */
export class CoalescingLoader<T> {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Promise<T>>();

  load(key: string, load: () => Promise<T>): Promise<T> {
    const running = this.running.get(key);
    if (running === undefined) return this.run(key, load);
    const waiting = this.waiting.get(key);
    if (waiting !== undefined) return waiting;
    const next = running.then(() => {
      this.waiting.delete(key);
      return this.run(key, load);
    });
    this.waiting.set(key, next);
    return next;
  }

  private run(key: string, load: () => Promise<T>): Promise<T> {
    const result = load();
    const settled = result.then(ignore, ignore).then(() => {
      if (this.running.get(key) === settled) this.running.delete(key);
    });
    this.running.set(key, settled);
    return result;
  }
}

function ignore(): void {
  // The outcome is the callers' business.
}
