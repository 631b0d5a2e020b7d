import type { Page, Run } from '@countersign/contract';

/** What is known of a list of runs, newest first: from the top down to somewhere, without gaps. */
export interface RunList {
  readonly runs: readonly Run[];
  /** Runs after which the server can go on, by their ids, and what to ask it with. */
  readonly cursors: ReadonlyMap<string, string>;
  /** Whether the last run that is known is the last there is. */
  readonly complete: boolean;
}

export const NO_RUNS: RunList = { runs: [], cursors: new Map(), complete: false };

/** Whether `a` stands below `b`: the list is in the order of ids, which begin with the time (UUIDv7). */
function isBelow(a: Run, b: Run): boolean {
  return a.runId < b.runId;
}

/**
 * Puts a page of the list into what is known of it: what stood in its place goes, and what stands below it stays.
 *
 * @param after the run that the page begins after; `undefined` for the first page.
 * @returns `touches`: whether the page reaches what is known below it. If not there is a gap, and what is below it is left out.
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

/** Where to ask from to reload a row: the next run above it that the server can go on from. */
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
 * The rows as they are shown while somebody reads them: they stay where they are, each as it is now. New ones wait above
 * until they are asked for, and what no longer belongs to the list stays until then.
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
