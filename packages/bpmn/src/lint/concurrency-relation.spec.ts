import { expect } from 'chai';
import { computeConcurrency } from './concurrency-relation.js';
import type { TokenNet } from './token-net.js';

/** A net from `inputs > outputs`, by the numbers of its places. */
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
  it('should find out whatever the order of the transitions', () => {
    const { holds, together } = computeConcurrency(net([[2], [4]], [[1], [2]], [[0], [1, 3]]));

    expect([holds(4), together(4, 3), together(3, 4)]).to.deep.equal([true, true, true]);
    expect([together(1, 2), together(2, 4), together(3, 3)]).to.deep.equal([false, false, false]);
  });

  it('should know what is never held, as what has to come first never comes together', () => {
    const { holds, together } = computeConcurrency(net([[0], [1]], [[0], [2]], [[1, 2], [3]]));

    expect([holds(1), holds(2), together(1, 2), holds(3)]).to.deep.equal([true, true, false, false]);
  });

  it('should know of second tokens at one place, beyond 32 places too', () => {
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
