/** Counters by key. A key at zero is removed. */
export class KeyedCounter {
  private readonly counts = new Map<string, number>();

  increment(key: string): void {
    this.counts.set(key, this.get(key) + 1);
  }

  decrement(key: string): void {
    const remaining = this.get(key) - 1;
    if (remaining > 0) this.counts.set(key, remaining);
    else this.counts.delete(key);
  }

  get(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  /** Returns the keys whose count is at least `minCount`. */
  keysWithAtLeast(minCount: number): string[] {
    return [...this.counts].flatMap(([key, count]) => (count >= minCount ? [key] : []));
  }
}
