import { filterOf, withFilter, type RunFilter } from './run-filter.js';

/** A filter with a name. */
export interface SavedView {
  readonly name: string;
  readonly filter: RunFilter;
}

const MAX_VIEWS = 50;
export const LONGEST_NAME = 60;

/** Views of a browser, from what it keeps; what is broken is left out, as anybody can write there. */
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

/** With a view added, or put in the place of the one that has its name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const at = views.findIndex(({ name }) => name === view.name);
  return at < 0 ? [...views, view] : views.map((each, index) => (index === at ? view : each));
}
