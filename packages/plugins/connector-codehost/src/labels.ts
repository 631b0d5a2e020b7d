/** As GitHub has it (REST API, "Create a label"). */
export const LABEL_CHARACTERS = 50;
const MAX_LABELS = 100;

/** Code hosts give labels as names, or with more about them. */
export function labelNames(labels: readonly (string | { readonly name?: string | null })[]): string[] {
  return labels
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((name) => name !== '')
    .slice(0, MAX_LABELS);
}
