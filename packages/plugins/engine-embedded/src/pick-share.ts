export interface ShareOptions<T> {
  /** How many are picked. */
  readonly room: number;
  /** How many are picked of those that are at hand, where that is more. */
  readonly roomAtHand: number;
  /** Items of one owner rank alike, so that an earlier one is never left behind for a later one. */
  readonly ownerOf: (item: T) => string;
  readonly isAtHand: (item: T) => boolean;
  readonly server: string;
}

/**
 * The share of one server of what several look at: all of it where there is room, else first the items that are at hand, then
 * those of the owners that rank first for this server, in the order in which they came. Servers rank owners differently, so of
 * many items they hardly pick the same; nothing has to be agreed upon, and none is left out for good.
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

/** FNV-1a of both texts, 32 bits: fast, and different enough from server to server. */
function rankOf(owner: string, server: string): number {
  let hash = 0x811c9dc5;
  for (const text of [server, owner]) {
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The last characters would otherwise decide little but the last bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
