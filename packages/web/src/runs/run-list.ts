import type { Page, Run } from '@countersign/contract';

/** Loaded part of a list of runs, newest first: from the top, without gaps. */
export interface RunList {
  readonly runs: readonly Run[];
  /** Cursors of the server to continue with, by the id of the run before. */
  readonly cursors: ReadonlyMap<string, string>;
  /** Whether the last loaded run is the last of the list. */
  readonly complete: boolean;
}

export const NO_RUNS: RunList = { runs: [], cursors: new Map(), complete: false };

/** Returns whether `a` is below `b`: the list is in the order of ids, which start with the time (UUIDv7). */
function isBelow(a: Run, b: Run): boolean {
  return a.runId < b.runId;
}

/**
 * Merges a page into the loaded list: replaces the rows in its range and keeps those below.
 *
 * @param after run before the page; `undefined` for the first page
 * @returns `touches`: whether the page reaches the loaded rows below it; if not there is a gap, and the rows below are
 * dropped
 */
export function withPage(
  { runs, cursors, complete }: RunList,
  page: Page<Run>,
  after: string | undefined,
): { readonly list: RunList; readonly touches: boolean } {
  const start = after === undefined ? 0 : runs.findIndex(({ runId }) => runId === after) + 1;
  const last = page.items.at(-1);
  const end =
    page.nextCursor === null || last === undefined
      ? -1
      : runs.findIndex((run, index) => index >= start && isBelow(run, last));
  const kept = end < 0 ? [] : runs.slice(end);
  const known = new Set(runs.slice(start).map(({ runId }) => runId));
  const touches = kept.length === 0 || end > start || page.items.some(({ runId }) => known.has(runId));
  const below = touches ? kept : [];
  const all = [...runs.slice(0, start), ...page.items, ...below];
  const ids = new Set(all.map(({ runId }) => runId));
  const next = new Map([...cursors].filter(([runId]) => ids.has(runId)));
  if (last !== undefined && page.nextCursor !== null) next.set(last.runId, page.nextCursor);
  return {
    list: { runs: all, cursors: next, complete: page.nextCursor === null || (complete && below.length > 0) },
    touches,
  };
}

/** Returns the cursor to reload a row: that of the next run above it that has one. */
export function cursorAbove(
  { runs, cursors }: RunList,
  row: number,
): { readonly after: string; readonly cursor: string } | undefined {
  for (let index = Math.min(row, runs.length) - 1; index >= 0; index -= 1) {
    const after = runs[index]?.runId ?? '';
    const cursor = cursors.get(after);
    if (cursor !== undefined) return { after, cursor };
  }
  return undefined;
}

/**
 * Returns the rows to show while the user reads them: they keep their places, with current data. New rows wait until
 * they are requested, and rows that no longer match stay until then.
 */
export function stableRows(
  shown: readonly Run[],
  now: readonly Run[],
): { readonly rows: readonly Run[]; readonly fresh: number } {
  if (shown.length === 0) return { rows: now, fresh: 0 };
  const current = new Map(now.map((run) => [run.runId, run]));
  const held = new Set(shown.map(({ runId }) => runId));
  let lastHeld = -1;
  now.forEach(({ runId }, index) => {
    if (held.has(runId)) lastHeld = index;
  });
  const more = lastHeld < 0 ? [] : now.slice(lastHeld + 1);
  return {
    rows: [...shown.map((run) => current.get(run.runId) ?? run), ...more],
    fresh: now.filter(({ runId }, index) => !held.has(runId) && (lastHeld < 0 || index < lastHeld)).length,
  };
}
