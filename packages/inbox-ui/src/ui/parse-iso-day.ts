/**
 * Parses an ISO 8601 date (`2026-12-01`), or a date with time and offset. Other formats, which `Date.parse` also accepts,
 * could contain text that would be hidden, and dates that do not exist would be shown as others.
 *
 * @returns ms since the epoch, and whether there is a time
 */
export function parseIsoDay(text: string): { readonly at: number; readonly hasTime: boolean } | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text);
  const [, day = '', time] = match ?? [];
  const at = Date.parse(text);
  const dayAt = Date.parse(day);
  if (match === null || Number.isNaN(at) || Number.isNaN(dayAt)) return undefined;
  return new Date(dayAt).toISOString().startsWith(day) ? { at, hasTime: time !== undefined } : undefined;
}
