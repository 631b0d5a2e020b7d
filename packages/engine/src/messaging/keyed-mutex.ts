/**
 * Mutex by key. Work under the same key runs one at a time, in the order of the calls; work under different keys runs
 * concurrently.
 */
export class KeyedMutex {
  private readonly lastByKey = new Map<string, Promise<unknown>>();

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.lastByKey.get(key);
    const running = previous === undefined ? work() : previous.then(work, work);
    this.lastByKey.set(key, running);
    try {
      return await running;
    } finally {
      if (this.lastByKey.get(key) === running) this.lastByKey.delete(key);
    }
  }
}
