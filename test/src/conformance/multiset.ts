/** Counts the occurrences of each value. */
export function countOf(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Describes the differences of two multisets: one sentence per value. */
export function differencesOf(
  expected: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
  what: string,
): string[] {
  const values = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return values.flatMap((value) => {
    const [wanted, seen] = [expected.get(value) ?? 0, found.get(value) ?? 0];
    return wanted === seen ? [] : [`${what} "${value}": expected ${wanted}, found ${seen}.`];
  });
}
