import { filterOf, withFilter, type RunFilter } from './run-filter.js';

/** Filter with a name. */
export interface SavedView {
  readonly name: string;
  readonly filter: RunFilter;
}

const MAX_VIEWS = 50;
export const LONGEST_NAME = 60;

/**
 * Parses the views stored in the browser. Broken ones are left out, because any script of this origin may write there.
 */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    const stored = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, MAX_VIEWS).flatMap((each: unknown) => {
      const { name, filter } = (each ?? {}) as { name?: unknown; filter?: unknown };
      return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME && typeof filter === 'string'
        ? [{ name, filter: filterOf(new URLSearchParams(filter)) }]
        : [];
    });
  } catch {
    return [];
  }
}

export function writeViews(views: readonly SavedView[]): string {
  return JSON.stringify(
    views
      .slice(0, MAX_VIEWS)
      .map(({ name, filter }) => ({ name, filter: withFilter(new URLSearchParams(), filter).toString() })),
  );
}

/** Adds a view, or replaces the one of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.map((each, index) => (index === at ? view : each));
}
