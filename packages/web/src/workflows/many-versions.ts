/** As many versions are offered at once; of more, one types which. */
const MOST_OFFERED = 50;

/** Of a field that offers this many versions. */
export function offering(count: number): { readonly limit: number; readonly searchable: boolean } {
  return { limit: MOST_OFFERED, searchable: count > MOST_OFFERED };
}
