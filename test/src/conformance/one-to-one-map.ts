/** Map between two sets of values. Records each added pair that would make it ambiguous in either direction. */
export class OneToOneMap<T extends string | number> {
  private readonly forwards = new Map<T, T>();
  private readonly backwards = new Map<T, T>();
  private readonly found = new Set<string>();

  /** @param kind what the values are, for messages */
  constructor(private readonly kind: string) {}

  /** Adds a pair. If one of its values already has another counterpart, records a conflict instead. */
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

  /** One sentence for each pair that was not added. */
  get conflicts(): readonly string[] {
    return [...this.found];
  }
}
