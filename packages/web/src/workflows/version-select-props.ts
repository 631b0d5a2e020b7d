/** As many versions are offered at once; of more, one types which. */
const MAX_OFFERED = 50;

/** Of a field that offers this many versions. */
export function versionSelectProps(count: number): { readonly limit: number; readonly searchable: boolean } {
  return { limit: MAX_OFFERED, searchable: count > MAX_OFFERED };
}
