/** Runs work under the same key one at a time, in the order of the calls. Work under different keys runs concurrently. */
export class KeyedMutex {
  private readonly lastByKey = new Map<string, Promise<unknown>>();

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.lastByKey.get(key);
    const running = before === undefined ? work() : before.then(work, work);
    this.lastByKey.set(key, running);
    try {
      return await running;
    } finally {
      if (this.lastByKey.get(key) === running) this.lastByKey.delete(key);
    }
  }
}
