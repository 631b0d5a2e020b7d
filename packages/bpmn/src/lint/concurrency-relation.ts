import type { TokenNet } from './token-net.js';

/** The places of a net that may hold tokens, and the pairs that may do so at the same time. */
export interface ConcurrencyRelation {
  holds(place: number): boolean;
  /**
   * Returns whether two places may hold tokens at the same time; for a place and itself, whether it may hold two
   * tokens. `false` is proven.
   */
  together(one: number, other: number): boolean;
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
  const words = Math.ceil(places.length / 32);
  const rows = places.map(() => new Uint32Array(words));
  const held = new Uint32Array(words);
  held[0] = 1;
  const has = (row: Uint32Array | undefined, place: number): boolean =>
    (((row?.[place >> 5] ?? 0) >>> (place & 31)) & 1) === 1;
  const set = (row: Uint32Array | undefined, place: number): boolean => {
    if (row === undefined || has(row, place)) return false;
    row[place >> 5] = ((row[place >> 5] ?? 0) | (1 << (place & 31))) >>> 0;
    return true;
  };
  const join = (one: number, other: number): boolean => {
    const isNew = set(rows[one], other);
    set(rows[other], one);
    return isNew;
  };
  const canFire = (inputs: readonly number[]): boolean =>
    inputs.every((one, index) => has(held, one) && inputs.slice(index + 1).every((other) => has(rows[one], other)));

  const fire = (inputs: readonly number[], outputs: readonly number[]): boolean => {
    let changed = false;
    for (const [index, one] of outputs.entries()) {
      changed = set(held, one) || changed;
      for (const other of outputs.slice(index + 1)) changed = join(one, other) || changed;
    }
    for (let word = 0; word < words; word += 1) {
      const beside = inputs.reduce((all, input) => all & (rows[input]?.[word] ?? 0), -1) >>> 0;
      for (const output of outputs) {
        const fresh = (beside & ~(rows[output]?.[word] ?? 0)) >>> 0;
        for (let bits = fresh; bits !== 0; bits = (bits & (bits - 1)) >>> 0) {
          changed = join(output, word * 32 + (31 - Math.clz32(bits & -bits))) || changed;
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
  return { holds: (place) => has(held, place), together: (one, other) => has(rows[one], other) };
}
