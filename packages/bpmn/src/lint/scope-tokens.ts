import type { FlowNode } from '@countersign/model';
import { exploreNet, type Exploration } from './explore-net.js';
import { computeConcurrency, type ConcurrencyRelation } from './concurrency-relation.js';
import { reduceNet } from './reduce-net.js';
import { buildTokenNet, type TokenNet } from './token-net.js';

/** Places of a reduced net above which it is not judged: the work grows with their cube. */
const MAX_PLACES = 400;

/** What the tokens of one scope may do. */
export interface ScopeTokens {
  readonly net: TokenNet;
  /** `null`: too large to be judged. */
  readonly judged: (Exploration & { readonly togetherness: ConcurrencyRelation }) | null;
}

/** `allEntries`: whether a token begins at each entry (ad-hoc sub-processes), or one at one of them. */
export function analyzeTokens(
  nodes: ReadonlyMap<string, FlowNode>,
  entries: readonly string[],
  allEntries: boolean,
): ScopeTokens {
  const net = reduceNet(buildTokenNet(nodes, entries, allEntries));
  if (net.places.length > MAX_PLACES) return { net, judged: null };
  return { net, judged: { togetherness: computeConcurrency(net), ...exploreNet(net) } };
}
