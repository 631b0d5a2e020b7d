/** Something that a palette offers. */
export interface PaletteItem {
  readonly id: string;
  /** The heading that it stands under. */
  readonly group: string;
  readonly label: string;
  /** What else tells it from others. */
  readonly hint?: string;
  readonly keys?: string | undefined;
  run(): void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

/**
 * What fits a query, the best first: each word of it begins a word, is in the text, or has its letters there in their order.
 * Groups are in the order of their best. Without a query all is there, as it was given.
 *
 * @param most of a group at most
 */
export function rankItems(items: readonly PaletteItem[], query: string, most = 50): readonly PaletteGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = items.flatMap((item) => {
    const score = scoreOf(`${item.label} ${item.hint ?? ''}`.toLowerCase(), item.label.toLowerCase(), words);
    return score === undefined ? [] : [{ item, score }];
  });
  if (words.length > 0) found.sort((one, other) => other.score - one.score);
  const groups = new Map<string, PaletteItem[]>();
  for (const { item } of found) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups].map(([title, all]) => ({ title, items: all.slice(0, most) }));
}

/** @returns `undefined` where a word does not fit */
function scoreOf(text: string, label: string, words: readonly string[]): number | undefined {
  let total = 0;
  for (const word of words) {
    const score = label.startsWith(word)
      ? 8
      : startsWord(text, word)
        ? 6
        : text.includes(word)
          ? 4
          : word.length > 2 && hasInOrder(label, word)
            ? 1
            : 0;
    if (score === 0) return undefined;
    total += score;
  }
  return total;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}
