import { expect } from 'chai';
import fc from 'fast-check';
import { FlowGraph } from './flow-graph.js';

type Edges = Record<string, readonly string[]>;

function buildGraph(edges: Edges): FlowGraph {
  return new FlowGraph(Object.keys(edges), (id) => edges[id] ?? []);
}

/** Returns the nodes that are reachable from `from` without passing the node `blockedId`. */
function findReachable(edges: Edges, from: string, blockedId?: string): Set<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (id === blockedId || found.has(id)) return;
    found.add(id);
    for (const next of edges[id] ?? []) visit(next);
  };
  visit(from);
  return found;
}

describe('FlowGraph', () => {
  it('should find the dominators of a loop with a branch', () => {
    const graph = buildGraph({ s: ['a'], a: ['b', 'c'], b: ['d'], c: ['d'], d: ['a', 'e'], e: [], lost: ['e'] });
    expect([...graph.computeImmediateDominators('s')].sort()).to.deep.equal([
      ['a', 's'],
      ['b', 'a'],
      ['c', 'a'],
      ['d', 'a'],
      ['e', 'd'],
    ]);
  });

  it('should match the definition of dominance on random graphs', () => {
    const names = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'];
    const edgesArbitrary = fc
      .tuple(...names.map(() => fc.subarray(names)))
      .map((edgeLists) => Object.fromEntries(names.map((name, index) => [name, edgeLists[index] ?? []])));
    fc.assert(
      fc.property(edgesArbitrary, (edges) => {
        const dominators = buildGraph(edges).computeImmediateDominators('n0');
        const reachableIds = findReachable(edges, 'n0');
        expect(new Set(dominators.keys())).to.deep.equal(new Set([...reachableIds].filter((id) => id !== 'n0')));
        for (const id of dominators.keys()) {
          const chain = new Set<string>();
          for (
            let dominatorId = dominators.get(id);
            dominatorId !== undefined;
            dominatorId = dominators.get(dominatorId)
          )
            chain.add(dominatorId);
          // A node dominates another node if the other node cannot be reached without it.
          const expected = [...reachableIds].filter(
            (other) => other !== id && !findReachable(edges, 'n0', other).has(id),
          );
          expect(chain).to.deep.equal(new Set(expected));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('should find the nodes on the paths between two nodes', () => {
    const graph = buildGraph({ s: ['a'], a: ['b', 'c'], b: ['d'], c: ['a'], d: ['a', 'e'], e: ['b'] });
    expect([...graph.findNodesBetween('a', 'd')].sort()).to.deep.equal(['b']);
    expect(graph.findNodesBetween('s', 'd')).to.have.members(['a', 'b', 'c']);
    expect(graph.hasPath('e', 'c')).to.equal(true);
    expect(graph.hasPath('a', 's')).to.equal(false);
  });

  it('should compute the dominators of 100,000 nodes without exceeding the call stack', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const graph = new FlowGraph(ids, (id) => [`n${Number(id.slice(1)) + 1}`]);
    expect(graph.computeImmediateDominators('n0').get('n99999')).to.equal('n99998');
  });
});
