import type { TokenNet } from './token-net.js';

/** The places of a net that may hold tokens, and the pairs that may do so at the same time. */
export interface ConcurrencyRelation {
  canBeMarked(place: number): boolean;
  /**
   * Returns whether two places may hold tokens at the same time; for a place and itself, whether it may hold two
   * tokens. `false` is proven.
   */
  areConcurrent(one: number, other: number): boolean;
}

/**
 * Returns the structural concurrency relation of a net, which contains every pair of places that ever hold tokens at
 * the same time: A. Kovalyov and J. Esparza, "A Polynomial Algorithm to Compute the Concurrency Relation of Free-Choice
 * Signal Transition Graphs" (1996), section 3. It may contain pairs that never do, so only the absence of a pair is
 * proven.
 *
 * The cost is cubic in the number of places divided by 32; the caller limits it.
 */
export function computeConcurrency({ places, transitions }: TokenNet): ConcurrencyRelation {
  const wordCount = Math.ceil(places.length / 32);
  const rows = places.map(() => new Uint32Array(wordCount));
  const markedPlaces = new Uint32Array(wordCount);
  markedPlaces[0] = 1;
  const hasBit = (row: Uint32Array | undefined, place: number): boolean =>
    (((row?.[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1;
  const setBit = (row: Uint32Array | undefined, place: number): boolean => {
    if (row === undefined || hasBit(row, place)) return false;
    row[place >> 5] = ((row[place >> 5] ?? 0) | (1 << (place & 31))) >>> 0;
    return true;
  };
  const addPair = (one: number, other: number): boolean => {
    const isNew = setBit(rows[one], other);
    setBit(rows[other], one);
    return isNew;
  };
  const canFire = (inputs: readonly number[]): boolean =>
    inputs.every(
      (one, index) => hasBit(markedPlaces, one) && inputs.slice(index + 1).every((other) => hasBit(rows[one], other)),
    );

  const fire = (inputs: readonly number[], outputs: readonly number[]): boolean => {
    let changed = false;
    for (const [index, one] of outputs.entries()) {
      changed = setBit(markedPlaces, one) || changed;
      for (const other of outputs.slice(index + 1)) changed = addPair(one, other) || changed;
    }
    for (let word = 0; word < wordCount; word += 1) {
      const concurrentBits = inputs.reduce((all, input) => all & (rows[input]?.[word] ?? 0), -1) >>> 0;
      for (const output of outputs) {
        const newBits = (concurrentBits & ~(rows[output]?.[word] ?? 0)) >>> 0;
        for (let bits = newBits; bits !== 0; bits = (bits & (bits - 1)) >>> 0) {
          changed = addPair(output, word * 32 + (31 - Math.clz32(bits & -bits))) || changed;
        }
      }
    }
    return changed;
  };

  const steps = transitions.map(({ inputs, outputs }) => ({ inputs, outputs: outputs.map(({ place }) => place) }));
  for (let changed = true; changed;) {
    changed = false;
    for (const { inputs, outputs } of steps) if (canFire(inputs)) changed = fire(inputs, outputs) || changed;
  }
  return {
    canBeMarked: (place) => hasBit(markedPlaces, place),
    areConcurrent: (one, other) => hasBit(rows[one], other),
  };
}
