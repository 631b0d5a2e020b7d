/** Maximum length of a label on GitHub (REST API, "Create a label"). */
export const MAX_LABEL_CHARACTERS = 50;
const MAX_LABELS = 100;

/** Returns the names of labels. Code hosts send labels as names or as objects. */
export function toLabelNames(labels: readonly (string | { readonly name?: string | null })[]): string[] {
  return labels
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((name) => name !== '')
    .slice(0, MAX_LABELS);
}
