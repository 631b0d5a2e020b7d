/** Maximum number of versions listed at once. If there are more, the user can search for a version. */
const MAX_OFFERED_VERSIONS = 50;

/** Returns the props of a select field for this number of versions. */
export function getVersionSelectProps(versionCount: number): { readonly limit: number; readonly searchable: boolean } {
  return { limit: MAX_OFFERED_VERSIONS, searchable: versionCount > MAX_OFFERED_VERSIONS };
}
