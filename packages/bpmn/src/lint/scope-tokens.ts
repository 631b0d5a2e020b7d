import type { FlowNode } from '@countersign/model';
import { exploreNet, type Exploration } from './explore-net.js';
import { computeConcurrency, type ConcurrencyRelation } from './concurrency-relation.js';
import { reduceNet } from './reduce-net.js';
import { buildTokenNet, type TokenNet } from './token-net.js';

/** Maximum number of places of a reduced net that is analyzed: the cost is cubic in their number. */
const MAX_PLACES = 400;

/** Analysis of the tokens of one scope. */
export interface ScopeTokens {
  readonly net: TokenNet;
  /** `null` if the net is too large to be analyzed. */
  readonly analysis: (Exploration & { readonly concurrency: ConcurrencyRelation }) | null;
}

/**
 * Analyzes the tokens of a scope.
 *
 * @param startsAtEveryEntry whether a token starts at each entry (ad-hoc sub-processes), or a single token at one of
 *   them
 */
export function analyzeTokens(
  nodes: ReadonlyMap<string, FlowNode>,
  entries: readonly string[],
  startsAtEveryEntry: boolean,
): ScopeTokens {
  const net = reduceNet(buildTokenNet(nodes, entries, startsAtEveryEntry));
  if (net.places.length > MAX_PLACES) return { net, analysis: null };
  return { net, analysis: { concurrency: computeConcurrency(net), ...exploreNet(net) } };
}
