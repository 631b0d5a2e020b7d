/** Filter of a list with a name. */
export interface SavedView {
  readonly name: string;
  /** The filter as the query of an address, in its canonical form. */
  readonly query: string;
}

const MAX_VIEWS = 50;
export const MAX_NAME_LENGTH = 60;

/**
 * Parses the views stored in the browser. Invalid views are omitted, because any script of this origin can write to the
 * storage.
 *
 * @param normalize returns the canonical form of a query, without unknown names and invalid values
 */
export function parseViews(text: string | null, normalize: (query: string) => string): readonly SavedView[] {
  try {
    const stored = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, MAX_VIEWS).flatMap((each: unknown) => {
      const { name, filter } = (each ?? {}) as { name?: unknown; filter?: unknown };
      return typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH && typeof filter === 'string'
        ? [{ name, query: normalize(filter) }]
        : [];
    });
  } catch {
    return [];
  }
}

export function serializeViews(views: readonly SavedView[]): string {
  return JSON.stringify(views.slice(0, MAX_VIEWS).map(({ name, query }) => ({ name, filter: query })));
}

/** Adds a view, or replaces the view with the same name. */
export function addOrReplaceView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const existingIndex = views.findIndex(({ name }) => name === view.name);
  return existingIndex < 0 ? [...views, view] : views.map((each, index) => (index === existingIndex ? view : each));
}
