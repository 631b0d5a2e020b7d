/** Where a text was found, from `start` up to `end`. */
export interface Found {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds any of many texts in one pass (Aho and Corasick, 1975): the time is linear in the length of the text that is
 * searched, whatever is looked for and whoever wrote it.
 */
export class TextFinder {
  /** Next state by `state * 65536 + character`. */
  private readonly next = new Map<number, number>();
  /** Next states of the beginning, where most characters fail. */
  private readonly first = new Int32Array(65_536);
  private readonly beginnings: number[] = [];
  /** State of the longest beginning of a text that the text of a state ends with. */
  private readonly fail: number[] = [0];
  /** Length of the longest text that ends in a state; 0: none does. */
  private readonly longest: number[] = [0];

  constructor(texts: Iterable<string>) {
    for (const text of texts) if (text !== '') this.add(text);
    this.link();
  }

  /** Places of all texts, those that overlap or touch put together, in their order. */
  find(text: string): Found[] {
    const found: { start: number; end: number }[] = [];
    const { first, next, fail, longest } = this;
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      let following = state === 0 ? undefined : next.get(state * 65_536 + character);
      while (following === undefined && state !== 0) {
        state = fail[state] ?? 0;
        following = state === 0 ? undefined : next.get(state * 65_536 + character);
      }
      state = following ?? first[character] ?? 0;
      const length = longest[state] ?? 0;
      if (length === 0) continue;
      let start = at + 1 - length;
      for (let last = found.at(-1); last !== undefined && last.end >= start; last = found.at(-1)) {
        start = Math.min(start, last.start);
        found.pop();
      }
      found.push({ start, end: at + 1 });
    }
    return found;
  }

  private add(text: string): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      const there = state === 0 ? (this.first[character] ?? 0) : (this.next.get(state * 65_536 + character) ?? 0);
      if (there !== 0) {
        state = there;
        continue;
      }
      const made = this.fail.length;
      this.fail.push(0);
      this.longest.push(0);
      if (state === 0) {
        this.first[character] = made;
        this.beginnings.push(made);
      } else {
        this.next.set(state * 65_536 + character, made);
      }
      state = made;
    }
    this.longest[state] = text.length;
  }

  /** By the length of the texts of the states: a state is only linked to shorter ones. */
  private link(): void {
    const children = new Map<number, { readonly character: number; readonly state: number }[]>();
    for (const [key, state] of this.next) {
      const parent = Math.floor(key / 65_536);
      const list = children.get(parent) ?? [];
      children.set(parent, list);
      list.push({ character: key % 65_536, state });
    }
    const queue = [...this.beginnings];
    for (let index = 0; index < queue.length; index += 1) {
      const parent = queue[index] ?? 0;
      for (const { character, state } of children.get(parent) ?? []) {
        let suffix = this.fail[parent] ?? 0;
        while (suffix !== 0 && !this.next.has(suffix * 65_536 + character)) suffix = this.fail[suffix] ?? 0;
        const target = suffix === 0 ? (this.first[character] ?? 0) : (this.next.get(suffix * 65_536 + character) ?? 0);
        this.fail[state] = target;
        if (this.longest[state] === 0) this.longest[state] = this.longest[target] ?? 0;
        queue.push(state);
      }
    }
  }
}
