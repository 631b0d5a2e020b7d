/** Map that records which values do not correspond one to one. */
export class OneToOneMap<T extends string | number> {
  private readonly forwards = new Map<T, T>();
  private readonly backwards = new Map<T, T>();
  private readonly found = new Set<string>();

  /** @param kind what the values are, for messages */
  constructor(private readonly kind: string) {}

  /** Adds a pair, unless one of its values already has another counterpart. */
  add(from: T, to: T): void {
    const known = this.forwards.get(from) ?? to;
    const knownSource = this.backwards.get(to) ?? from;
    if (known !== to) this.found.add(`the ${this.kind} ${from} stands for both ${known} and ${to}.`);
    else if (knownSource !== from) this.found.add(`the ${this.kind}s ${knownSource} and ${from} both stand for ${to}.`);
    else {
      this.forwards.set(from, to);
      this.backwards.set(to, from);
    }
  }

  get(from: T): T | undefined {
    return this.forwards.get(from);
  }

  entries(): Iterable<readonly [T, T]> {
    return this.forwards.entries();
  }

  /** What does not correspond one to one: one sentence for each pair. */
  get conflicts(): readonly string[] {
    return [...this.found];
  }
}
