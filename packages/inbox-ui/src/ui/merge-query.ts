/** What becomes of a query where some parts of it change; `undefined`, `null` and the empty text take one out. */
export function mergeQuery(
  before: URLSearchParams,
  parts: Readonly<Record<string, string | number | null | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined || value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}
