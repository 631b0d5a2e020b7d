/** Maximum number of versions offered; with more, the user types the number. */
const MAX_OFFERED_VERSIONS = 50;

/** Returns the props of a field that offers this many versions. */
export function getVersionSelectProps(count: number): { readonly limit: number; readonly searchable: boolean } {
  return { limit: MAX_OFFERED_VERSIONS, searchable: count > MAX_OFFERED_VERSIONS };
}
