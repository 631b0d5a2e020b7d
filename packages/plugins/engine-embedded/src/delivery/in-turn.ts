/** Lets works on the same thing go one after the other, in the order in which they came. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(thing);
    const running = before === undefined ? work() : before.then(work, work);
    this.last.set(thing, running);
    try {
      return await running;
    } finally {
      if (this.last.get(thing) === running) this.last.delete(thing);
    }
  }
}
