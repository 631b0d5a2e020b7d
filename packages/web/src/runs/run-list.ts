import type { Page, Run } from '@countersign/contract';

/** Loaded part of a list of runs, newest first: from the top, without gaps. */
export interface RunList {
  readonly runs: readonly Run[];
  /** Cursors from the server, by the id of the run after which they continue. */
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
 * @param previousRunId run before the page; `undefined` for the first page
 * @returns `isContiguous`: whether the page reaches the loaded rows below it; otherwise there is a gap, and the rows
 *   below it are dropped
 */
export function mergePage(
  { runs, cursors, complete }: RunList,
  page: Page<Run>,
  previousRunId: string | undefined,
): { readonly list: RunList; readonly isContiguous: boolean } {
  const startIndex = previousRunId === undefined ? 0 : runs.findIndex(({ runId }) => runId === previousRunId) + 1;
  const last = page.items.at(-1);
  const endIndex =
    page.nextCursor === null || last === undefined
      ? -1
      : runs.findIndex((run, index) => index >= startIndex && isBelow(run, last));
  const rowsBelow = endIndex < 0 ? [] : runs.slice(endIndex);
  const replacedIds = new Set(runs.slice(startIndex).map(({ runId }) => runId));
  const isContiguous =
    rowsBelow.length === 0 || endIndex > startIndex || page.items.some(({ runId }) => replacedIds.has(runId));
  const keptRows = isContiguous ? rowsBelow : [];
  const mergedRuns = [...runs.slice(0, startIndex), ...page.items, ...keptRows];
  const mergedIds = new Set(mergedRuns.map(({ runId }) => runId));
  const nextCursors = new Map([...cursors].filter(([runId]) => mergedIds.has(runId)));
  if (last !== undefined && page.nextCursor !== null) nextCursors.set(last.runId, page.nextCursor);
  return {
    list: {
      runs: mergedRuns,
      cursors: nextCursors,
      complete: page.nextCursor === null || (complete && keptRows.length > 0),
    },
    isContiguous,
  };
}

/** Returns the cursor to reload a row: the cursor of the nearest run above it that has one. */
export function findCursorAbove(
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
 * Merges the latest rows into the rows that the user reads. Shown rows keep their positions and get current data, even
 * if they no longer match. Rows below them are appended; other new rows are only counted (`newRunCount`).
 */
export function mergeStableRows(
  shownRows: readonly Run[],
  latestRows: readonly Run[],
): { readonly rows: readonly Run[]; readonly newRunCount: number } {
  if (shownRows.length === 0) return { rows: latestRows, newRunCount: 0 };
  const latestById = new Map(latestRows.map((run) => [run.runId, run]));
  const shownIds = new Set(shownRows.map(({ runId }) => runId));
  let lastShownIndex = -1;
  latestRows.forEach(({ runId }, index) => {
    if (shownIds.has(runId)) lastShownIndex = index;
  });
  const rowsBelow = lastShownIndex < 0 ? [] : latestRows.slice(lastShownIndex + 1);
  return {
    rows: [...shownRows.map((run) => latestById.get(run.runId) ?? run), ...rowsBelow],
    newRunCount: latestRows.filter(
      ({ runId }, index) => !shownIds.has(runId) && (lastShownIndex < 0 || index < lastShownIndex),
    ).length,
  };
}
