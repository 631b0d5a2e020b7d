import { expect } from 'chai';
import { computeConcurrency } from './concurrency-relation.js';
import type { TokenNet } from './token-net.js';

/** Builds a net with one transition for each pair of inputs and outputs, which are indexes of places. */
function buildNet(...transitions: readonly (readonly [inputs: number[], outputs: number[]])[]): TokenNet {
  const count = Math.max(...transitions.flat(2)) + 1;
  return {
    places: Array.from({ length: count }, (_, index) => ({ elementId: `p${index}`, flowId: null, gathers: false })),
    transitions: transitions.map(([inputs, outputs]) => ({
      inputs,
      outputs: outputs.map((place) => ({ place, via: [] })),
      clears: false,
      approximation: null,
      choice: null,
      join: null,
    })),
  };
}

describe('computeConcurrency', () => {
  it('should find concurrent places regardless of the order of transitions', () => {
    const { canBeMarked, areConcurrent } = computeConcurrency(buildNet([[2], [4]], [[1], [2]], [[0], [1, 3]]));

    expect([canBeMarked(4), areConcurrent(4, 3), areConcurrent(3, 4)]).to.deep.equal([true, true, true]);
    expect([areConcurrent(1, 2), areConcurrent(2, 4), areConcurrent(3, 3)]).to.deep.equal([false, false, false]);
  });

  it('should report a place as never marked if the inputs of its transition never hold tokens at the same time', () => {
    const { canBeMarked, areConcurrent } = computeConcurrency(buildNet([[0], [1]], [[0], [2]], [[1, 2], [3]]));

    expect([canBeMarked(1), canBeMarked(2), areConcurrent(1, 2), canBeMarked(3)]).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });

  it('should report that a place may hold two tokens, even in nets with more than 32 places', () => {
    const chain = Array.from({ length: 40 }, (_, index): readonly [number[], number[]] => [[index], [index + 1]]);
    const { areConcurrent } = computeConcurrency(buildNet(...chain, [[40], [40, 41]], [[41], [42]]));

    expect([
      areConcurrent(40, 41),
      areConcurrent(41, 41),
      areConcurrent(42, 42),
      areConcurrent(40, 40),
      areConcurrent(39, 41),
    ]).to.deep.equal([true, true, true, false, false]);
  });
});
