/** Counts the occurrences of each value. */
export function countValues(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Describes the differences of two multisets: one sentence per value. */
export function describeDifferences(
  expected: ReadonlyMap<string, number>,
  actual: ReadonlyMap<string, number>,
  label: string,
): string[] {
  const values = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  return values.flatMap((value) => {
    const [expectedCount, actualCount] = [expected.get(value) ?? 0, actual.get(value) ?? 0];
    return expectedCount === actualCount
      ? []
      : [`${label} "${value}": expected ${expectedCount}, found ${actualCount}.`];
  });
}
