/**
 * Maximum number of cells in the transition table. The states of the shortest prefixes have full rows in it; most texts
 * reach hardly any other states.
 */
const DENSE_CELLS = 262_144;

/** Characters read, or symbols searched, without a pause: about a millisecond. */
export const PIECE = 32_768;

/** Numbers below the number of symbols. */
export type SymbolSequence = Uint8Array | Uint16Array;

/**
 * Finds many symbol sequences in one pass, in time linear in the searched length (Aho and Corasick, 1975). Keeps up to
 * some hundred thousand states in arrays, shortest prefixes first.
 */
export class SymbolFinder {
  /** Length of the longest sequence. */
  readonly longest: number;
  /**
   * Symbol that leads to each state, and the child states of a state: from `children[state]` up to `children[state +
   * 1]`.
   */
  readonly #symbol: Uint16Array;
  readonly #children: Int32Array;
  /** State of the longest sequence prefix that is a suffix of the state's own prefix. */
  readonly #fail: Int32Array;
  /** Length of the longest sequence that ends in a state; 0 if none does. */
  readonly #found: Int32Array;
  /** Next state by state and symbol, including transitions through `fail`. */
  readonly #next: Int32Array;
  readonly #dense: number;
  readonly #symbols: number;

  /** @param symbols the number of different symbols */
  constructor(sequences: readonly SymbolSequence[], symbols: number) {
    this.#symbols = symbols;
    this.longest = sequences.reduce((longest, { length }) => Math.max(longest, length), 0);
    const { symbol, children, found, parents } = levels(sequences);
    const states = symbol.length;
    this.#symbol = symbol;
    this.#children = children;
    this.#found = found;
    this.#fail = new Int32Array(states);
    this.#dense = Math.min(states, Math.max(1, Math.floor(DENSE_CELLS / symbols)));
    this.#next = new Int32Array(this.#dense * symbols);
    this.#link(parents);
  }

  /**
   * Continues from a state (0 at the start) over a range of symbols.
   *
   * @param onFound receives the index of the last symbol of each match, and the length of the longest sequence ending
   *   there
   * @returns the state to continue from
   */
  search(
    state: number,
    symbols: SymbolSequence,
    from: number,
    to: number,
    onFound: (last: number, length: number) => void,
  ): number {
    const [symbol, children, fail, found, next, dense, width] = [
      this.#symbol,
      this.#children,
      this.#fail,
      this.#found,
      this.#next,
      this.#dense,
      this.#symbols,
    ];
    let now = state;
    for (let at = from; at < to; at += 1) {
      const read = symbols[at] as number;
      for (;;) {
        if (now < dense) {
          now = next[now * width + read] as number;
          break;
        }
        let child = children[now] as number;
        const end = children[now + 1] as number;
        while (child < end && symbol[child] !== read) child += 1;
        if (child < end) {
          now = child;
          break;
        }
        now = fail[now] as number;
      }
      const length = found[now] as number;
      if (length !== 0) onFound(at, length);
    }
    return now;
  }

  /** Same as {@link search}, but yields regularly. */
  *searchInPieces(
    state: number,
    symbols: SymbolSequence,
    from: number,
    to: number,
    onFound: (last: number, length: number) => void,
  ): Generator<void, number> {
    let now = state;
    for (let at = from; at < to; at += PIECE) {
      now = this.search(now, symbols, at, Math.min(at + PIECE, to), onFound);
      yield;
    }
    return now;
  }

  /** Links each state to states of shorter prefixes only, which come before it. */
  #link(parents: Int32Array): void {
    for (let state = 0; state < this.#symbol.length; state += 1) {
      const parent = parents[state] ?? 0;
      if (parent !== 0) this.#fail[state] = this.#follow(this.#fail[parent] ?? 0, this.#symbol[state] ?? 0);
      if (this.#found[state] === 0) this.#found[state] = this.#found[this.#fail[state] ?? 0] ?? 0;
      if (state < this.#dense) this.#fill(state);
    }
  }

  #fill(state: number): void {
    const width = this.#symbols;
    const row = state * width;
    const fail = this.#fail[state] ?? 0;
    if (state !== 0) this.#next.copyWithin(row, fail * width, (fail + 1) * width);
    for (let child = this.#children[state] ?? 0; child < (this.#children[state + 1] ?? 0); child += 1)
      this.#next[row + (this.#symbol[child] ?? 0)] = child;
  }

  #follow(from: number, symbol: number): number {
    for (let state = from; ; state = this.#fail[state] ?? 0) {
      if (state < this.#dense) return this.#next[state * this.#symbols + symbol] ?? 0;
      for (let child = this.#children[state] ?? 0; child < (this.#children[state + 1] ?? 0); child += 1)
        if (this.#symbol[child] === symbol) return child;
    }
  }
}

interface Levels {
  readonly symbol: Uint16Array;
  readonly children: Int32Array;
  readonly found: Int32Array;
  readonly parents: Int32Array;
}

/** Builds the states level by level. In sorted order, the sequences of each state are adjacent. */
function levels(sequences: readonly SymbolSequence[]): Levels {
  const sorted = sequences.toSorted(inOrder);
  const most = sorted.reduce((sum, { length }) => sum + length, 2);
  const [symbol, children, found, parents] = [
    new Uint16Array(most),
    new Int32Array(most),
    new Int32Array(most),
    new Int32Array(most),
  ];
  let states = 1;
  let groups: readonly Group[] = [{ state: 0, from: 0, to: sorted.length }];
  for (let depth = 0; groups.length > 0; depth += 1) {
    const deeper: Group[] = [];
    for (const { state, from, to } of groups) {
      children[state] = states;
      for (let at = from; at < to;) {
        const read = sorted[at]?.[depth];
        let end = at + 1;
        while (end < to && sorted[end]?.[depth] === read) end += 1;
        if (read === undefined) {
          found[state] = depth;
        } else {
          symbol[states] = read;
          parents[states] = state;
          deeper.push({ state: states, from: at, to: end });
          states += 1;
        }
        at = end;
      }
    }
    groups = deeper;
  }
  children[states] = states;
  return {
    symbol: symbol.slice(0, states),
    children: children.slice(0, states + 1),
    found: found.slice(0, states),
    parents: parents.slice(0, states),
  };
}

/** Sequences with the same prefix. */
interface Group {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

function inOrder(left: SymbolSequence, right: SymbolSequence): number {
  const most = Math.min(left.length, right.length);
  for (let at = 0; at < most; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
