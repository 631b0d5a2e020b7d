export interface ShareOptions<T> {
  /** Maximum number of items to pick. */
  readonly limit: number;
  /** Maximum number of cached items to pick, if it is larger than `limit`. */
  readonly cachedLimit: number;
  /**
   * Returns the owner of an item. All items of an owner have the same rank, so that an earlier item is never skipped
   * for a later one.
   */
  readonly getOwner: (item: T) => string;
  readonly isCached: (item: T) => boolean;
  readonly server: string;
}

/**
 * Returns the share of one server in items that several servers poll. If all items fit, returns all of them. Otherwise
 * picks cached items first, then items of the owners that rank first for this server; the result keeps the original
 * order. Servers rank owners differently, so they rarely pick the same items. This needs no coordination, and no item
 * is skipped permanently.
 */
export function pickShare<T>(
  items: readonly T[],
  { limit, cachedLimit, getOwner, isCached, server }: ShareOptions<T>,
): T[] {
  if (items.length <= limit) return [...items];
  const cached: Candidate<T>[] = [];
  const uncached: Candidate<T>[] = [];
  for (const [index, item] of items.entries()) (isCached(item) ? cached : uncached).push({ item, index });
  const count = Math.max(0, limit, Math.min(cachedLimit, cached.length));
  const rank = ({ item }: Candidate<T>): number => computeRank(getOwner(item), server);
  const pickedCached = pickFirst(cached, count, rank);
  return [...pickedCached, ...pickFirst(uncached, count - pickedCached.length, rank)]
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

interface Candidate<T> {
  readonly item: T;
  readonly index: number;
}

/** Returns the candidates that rank first. Computes no ranks if all or none are picked, because they are expensive. */
function pickFirst<T>(
  candidates: readonly Candidate<T>[],
  count: number,
  rank: (candidate: Candidate<T>) => number,
): readonly Candidate<T>[] {
  if (count <= 0) return [];
  if (candidates.length <= count) return candidates;
  return candidates
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .sort((a, b) => a.rank - b.rank || a.candidate.index - b.candidate.index)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/**
 * Returns a 32-bit hash of both strings (FNV-1a with a final mixing step): fast, and sufficiently different between
 * servers.
 */
function computeRank(owner: string, server: string): number {
  let hash = 0x811c9dc5;
  for (const text of [server, owner]) {
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // Without this step, the last characters would affect little more than the last bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
