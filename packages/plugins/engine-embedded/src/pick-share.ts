export interface ShareOptions<T> {
  /** Number of items to pick. */
  readonly room: number;
  /** Number of items at hand to pick, if that is larger. */
  readonly roomAtHand: number;
  /** Items of one owner rank alike, so that an earlier item is never skipped for a later one. */
  readonly ownerOf: (item: T) => string;
  readonly isAtHand: (item: T) => boolean;
  readonly server: string;
}

/**
 * Returns the share of one server in items that several servers poll. If all items fit, returns all of them. Otherwise
 * picks items at hand first, then items of the owners that rank first for this server; the result keeps the original
 * order. Servers rank owners differently, so they rarely pick the same items. This needs no coordination, and no item
 * is skipped permanently.
 */
export function pickShare<T>(
  items: readonly T[],
  { room, roomAtHand, ownerOf, isAtHand, server }: ShareOptions<T>,
): T[] {
  if (items.length <= room) return [...items];
  const ranked = items.map((item, index) => ({
    item,
    index,
    isAway: isAtHand(item) ? 0 : 1,
    rank: rankOf(ownerOf(item), server),
  }));
  ranked.sort((a, b) => a.isAway - b.isAway || a.rank - b.rank || a.index - b.index);
  const atHand = ranked.reduce((count, { isAway }) => count + 1 - isAway, 0);
  return ranked
    .slice(0, Math.max(0, room, Math.min(roomAtHand, atHand)))
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

/** Returns the 32-bit FNV-1a hash of both strings: fast, and sufficiently different between servers. */
function rankOf(owner: string, server: string): number {
  let hash = 0x811c9dc5;
  for (const text of [server, owner]) {
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // Without this step, the last characters would affect little more than the last bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
