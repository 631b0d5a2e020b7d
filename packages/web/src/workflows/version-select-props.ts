/** Maximum number of versions offered; with more, the user types the number. */
const MAX_OFFERED = 50;

/** Returns the props of a field that offers this many versions. */
export function versionSelectProps(count: number): { readonly limit: number; readonly searchable: boolean } {
  return { limit: MAX_OFFERED, searchable: count > MAX_OFFERED };
}
