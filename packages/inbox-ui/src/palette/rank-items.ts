/** An item of a palette. */
export interface PaletteItem {
  readonly id: string;
  /** Heading above the item. */
  readonly group: string;
  readonly label: string;
  /** Text that distinguishes the item from others. */
  readonly hint?: string;
  /** Full text in which to search, if the label and the hint are cut. */
  readonly searchText?: string;
  readonly keys?: string | undefined;
  run(): void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

/**
 * Returns the items that match a query, best first. Each word of the query must start a word of the text, be contained
 * in it or, if it has at least three letters, have its letters in the label in the same order. Groups are sorted by
 * their best item. Without a query, returns all items in the given order.
 *
 * @param maxPerGroup maximum per group
 */
export function rankItems(items: readonly PaletteItem[], query: string, maxPerGroup = 50): readonly PaletteGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = items.flatMap((item) => {
    const text = [item.label, item.hint, item.searchText].filter((part) => part !== undefined).join(' ');
    const score = scoreItem(text.toLowerCase(), item.label.toLowerCase(), words);
    return score === undefined ? [] : [{ item, score }];
  });
  if (words.length > 0) found.sort((one, other) => other.score - one.score);
  const groups = new Map<string, PaletteItem[]>();
  for (const { item } of found) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups].map(([title, all]) => ({ title, items: all.slice(0, maxPerGroup) }));
}

/** @returns the score, or `undefined` if a word does not match */
function scoreItem(text: string, label: string, words: readonly string[]): number | undefined {
  let total = 0;
  for (const word of words) {
    const score = label.startsWith(word)
      ? 8
      : hasWordStartingWith(text, word)
        ? 6
        : text.includes(word)
          ? 4
          : word.length > 2 && containsInOrder(label, word)
            ? 1
            : 0;
    if (score === 0) return undefined;
    total += score;
  }
  return total;
}

function hasWordStartingWith(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}

function containsInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}
