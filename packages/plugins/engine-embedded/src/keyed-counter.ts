/** Counters by key. A key at zero is removed. */
export class KeyedCounter {
  private readonly counts = new Map<string, number>();

  add(key: string): void {
    this.counts.set(key, this.of(key) + 1);
  }

  remove(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** Returns the keys whose count is at least `least`. */
  atLeast(least: number): string[] {
    return [...this.counts].flatMap(([key, count]) => (count >= least ? [key] : []));
  }
}
