/**
 * Returns a copy of a query with some parameters changed. The values `undefined`, `null` and `''` remove a parameter.
 */
export function mergeQuery(
  before: URLSearchParams,
  changes: Readonly<Record<string, string | number | null | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}
