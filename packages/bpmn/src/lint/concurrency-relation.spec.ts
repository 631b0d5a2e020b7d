import { expect } from 'chai';
import { computeConcurrency } from './concurrency-relation.js';
import type { TokenNet } from './token-net.js';

/** A net from pairs of inputs and outputs, given as the numbers of its places. */
function net(...moves: readonly (readonly [inputs: number[], outputs: number[]])[]): TokenNet {
  const count = Math.max(...moves.flat(2)) + 1;
  return {
    places: Array.from({ length: count }, (_, index) => ({ elementId: `p${index}`, flowId: null, gathers: false })),
    transitions: moves.map(([inputs, outputs]) => ({
      inputs,
      outputs: outputs.map((place) => ({ place, via: [] })),
      clears: false,
      unsure: null,
      choice: null,
      join: null,
    })),
  };
}

describe('computeConcurrency', () => {
  it('should find concurrent places regardless of the order of transitions', () => {
    const { holds, together } = computeConcurrency(net([[2], [4]], [[1], [2]], [[0], [1, 3]]));

    expect([holds(4), together(4, 3), together(3, 4)]).to.deep.equal([true, true, true]);
    expect([together(1, 2), together(2, 4), together(3, 3)]).to.deep.equal([false, false, false]);
  });

  it('should report a place as never marked if its inputs never hold tokens together', () => {
    const { holds, together } = computeConcurrency(net([[0], [1]], [[0], [2]], [[1, 2], [3]]));

    expect([holds(1), holds(2), together(1, 2), holds(3)]).to.deep.equal([true, true, false, false]);
  });

  it('should find second tokens at the same place, even in nets with more than 32 places', () => {
    const chain = Array.from({ length: 40 }, (_, index): readonly [number[], number[]] => [[index], [index + 1]]);
    const { together } = computeConcurrency(net(...chain, [[40], [40, 41]], [[41], [42]]));

    expect([together(40, 41), together(41, 41), together(42, 42), together(40, 40), together(39, 41)]).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
