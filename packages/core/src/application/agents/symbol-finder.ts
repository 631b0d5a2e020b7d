/**
 * Maximum number of cells in the transition table. Only the states of the shortest prefixes have rows in it; most texts
 * rarely reach other states.
 */
const MAX_DENSE_CELLS = 262_144;

/** Number of characters read, or symbols searched, between two pauses; they take about a millisecond. */
export const PIECE_SIZE = 32_768;

/** Sequence of symbols, each a number from 0 to the alphabet size minus 1. */
export type SymbolSequence = Uint8Array | Uint16Array;

/**
 * Finds many symbol sequences in one pass, in time linear in the searched length (Aho and Corasick, 1975). Keeps the
 * states, which may be several hundred thousand, in arrays, shortest prefixes first.
 */
export class SymbolFinder {
  /** Length of the longest sequence. */
  readonly maxSequenceLength: number;
  /**
   * Symbol that leads to each state, and the child states of a state: from `children[state]` up to `children[state +
   * 1]`.
   */
  readonly #symbolOfState: Uint16Array;
  readonly #children: Int32Array;
  /** State of the longest sequence prefix that is a suffix of the state's own prefix. */
  readonly #failState: Int32Array;
  /** Length of the longest sequence that ends in a state; 0 if none does. */
  readonly #matchLength: Int32Array;
  /** Next state by state and symbol, including transitions through `#failState`. */
  readonly #transitions: Int32Array;
  readonly #denseStateCount: number;
  readonly #alphabetSize: number;

  /** @param alphabetSize the number of different symbols */
  constructor(sequences: readonly SymbolSequence[], alphabetSize: number) {
    this.#alphabetSize = alphabetSize;
    this.maxSequenceLength = sequences.reduce((longest, { length }) => Math.max(longest, length), 0);
    const { symbolOfState, children, matchLength, parents } = buildTrie(sequences);
    const stateCount = symbolOfState.length;
    this.#symbolOfState = symbolOfState;
    this.#children = children;
    this.#matchLength = matchLength;
    this.#failState = new Int32Array(stateCount);
    this.#denseStateCount = Math.min(stateCount, Math.max(1, Math.floor(MAX_DENSE_CELLS / alphabetSize)));
    this.#transitions = new Int32Array(this.#denseStateCount * alphabetSize);
    this.#linkFailStates(parents);
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
    onFound: (lastIndex: number, length: number) => void,
  ): number {
    const [symbolOfState, children, fail, matchLength, next, denseStateCount, alphabetSize] = [
      this.#symbolOfState,
      this.#children,
      this.#failState,
      this.#matchLength,
      this.#transitions,
      this.#denseStateCount,
      this.#alphabetSize,
    ];
    let currentState = state;
    for (let position = from; position < to; position += 1) {
      const nextSymbol = symbols[position] as number;
      for (;;) {
        if (currentState < denseStateCount) {
          currentState = next[currentState * alphabetSize + nextSymbol] as number;
          break;
        }
        let child = children[currentState] as number;
        const end = children[currentState + 1] as number;
        while (child < end && symbolOfState[child] !== nextSymbol) child += 1;
        if (child < end) {
          currentState = child;
          break;
        }
        currentState = fail[currentState] as number;
      }
      const length = matchLength[currentState] as number;
      if (length !== 0) onFound(position, length);
    }
    return currentState;
  }

  /** Same as {@link search}, but yields regularly. */
  *searchInPieces(
    state: number,
    symbols: SymbolSequence,
    from: number,
    to: number,
    onFound: (lastIndex: number, length: number) => void,
  ): Generator<void, number> {
    let currentState = state;
    for (let position = from; position < to; position += PIECE_SIZE) {
      currentState = this.search(currentState, symbols, position, Math.min(position + PIECE_SIZE, to), onFound);
      yield;
    }
    return currentState;
  }

  /** Links each state to states of shorter prefixes only, which come before it. */
  #linkFailStates(parents: Int32Array): void {
    for (let state = 0; state < this.#symbolOfState.length; state += 1) {
      const parent = parents[state] ?? 0;
      if (parent !== 0)
        this.#failState[state] = this.#nextState(this.#failState[parent] ?? 0, this.#symbolOfState[state] ?? 0);
      if (this.#matchLength[state] === 0)
        this.#matchLength[state] = this.#matchLength[this.#failState[state] ?? 0] ?? 0;
      if (state < this.#denseStateCount) this.#fillTransitions(state);
    }
  }

  #fillTransitions(state: number): void {
    const alphabetSize = this.#alphabetSize;
    const row = state * alphabetSize;
    const fail = this.#failState[state] ?? 0;
    if (state !== 0) this.#transitions.copyWithin(row, fail * alphabetSize, (fail + 1) * alphabetSize);
    for (let child = this.#children[state] ?? 0; child < (this.#children[state + 1] ?? 0); child += 1)
      this.#transitions[row + (this.#symbolOfState[child] ?? 0)] = child;
  }

  #nextState(from: number, symbol: number): number {
    for (let state = from; ; state = this.#failState[state] ?? 0) {
      if (state < this.#denseStateCount) return this.#transitions[state * this.#alphabetSize + symbol] ?? 0;
      for (let child = this.#children[state] ?? 0; child < (this.#children[state + 1] ?? 0); child += 1)
        if (this.#symbolOfState[child] === symbol) return child;
    }
  }
}

interface SymbolTrie {
  readonly symbolOfState: Uint16Array;
  readonly children: Int32Array;
  readonly matchLength: Int32Array;
  readonly parents: Int32Array;
}

/** Builds the states level by level. In sorted order, the sequences of each state are adjacent. */
function buildTrie(sequences: readonly SymbolSequence[]): SymbolTrie {
  const sorted = sequences.toSorted(compareSequences);
  const maxStates = sorted.reduce((sum, { length }) => sum + length, 2);
  const [symbolOfState, children, matchLength, parents] = [
    new Uint16Array(maxStates),
    new Int32Array(maxStates),
    new Int32Array(maxStates),
    new Int32Array(maxStates),
  ];
  let stateCount = 1;
  let groups: readonly SequenceRange[] = [{ state: 0, from: 0, to: sorted.length }];
  for (let depth = 0; groups.length > 0; depth += 1) {
    const nextGroups: SequenceRange[] = [];
    for (const { state, from, to } of groups) {
      children[state] = stateCount;
      for (let position = from; position < to;) {
        const symbolAtDepth = sorted[position]?.[depth];
        let end = position + 1;
        while (end < to && sorted[end]?.[depth] === symbolAtDepth) end += 1;
        if (symbolAtDepth === undefined) {
          matchLength[state] = depth;
        } else {
          symbolOfState[stateCount] = symbolAtDepth;
          parents[stateCount] = state;
          nextGroups.push({ state: stateCount, from: position, to: end });
          stateCount += 1;
        }
        position = end;
      }
    }
    groups = nextGroups;
  }
  children[stateCount] = stateCount;
  return {
    symbolOfState: symbolOfState.slice(0, stateCount),
    children: children.slice(0, stateCount + 1),
    matchLength: matchLength.slice(0, stateCount),
    parents: parents.slice(0, stateCount),
  };
}

/** Sequences with the same prefix. */
interface SequenceRange {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

function compareSequences(left: SymbolSequence, right: SymbolSequence): number {
  const minLength = Math.min(left.length, right.length);
  for (let position = 0; position < minLength; position += 1) {
    const difference = (left[position] ?? 0) - (right[position] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
