import type { Run } from '@countersign/contract';
import { useCallback, useState } from 'react';
import type { BulkTarget } from './bulk-runs-dialog.js';
import type { RunsQuery } from './run-filter.js';

export interface RunSelection {
  readonly ids: ReadonlySet<string>;
  /** Whether all matches of the filter are selected, including those that are not loaded. */
  readonly isAllMatchingSelected: boolean;
  readonly target: BulkTarget | undefined;
  toggle(run: Run, range: boolean): void;
  toggleAll(runs: readonly Run[]): void;
  selectAllMatching(): void;
  clear(): void;
}

/** Manages which runs of a list are selected. */
export function useRunSelection(rows: readonly Run[], query: RunsQuery): RunSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAllMatchingSelected, setAllMatching] = useState(false);
  const [anchor, setAnchor] = useState<string>();

  const toggle = useCallback(
    ({ runId }: Run, range: boolean) => {
      setAllMatching(false);
      setAnchor(runId);
      setIds((previousIds) => {
        const next = new Set(previousIds);
        const anchorIndex = range ? rows.findIndex((each) => each.runId === anchor) : -1;
        const clickedIndex = rows.findIndex((each) => each.runId === runId);
        if (anchorIndex >= 0)
          for (const each of rows.slice(Math.min(anchorIndex, clickedIndex), Math.max(anchorIndex, clickedIndex) + 1))
            next.add(each.runId);
        else if (!next.delete(runId)) next.add(runId);
        return next;
      });
    },
    [rows, anchor],
  );
  const clear = useCallback(() => {
    setAllMatching(false);
    setAnchor(undefined);
    setIds(new Set());
  }, []);
  const toggleAll = useCallback((runs: readonly Run[]) => {
    setAllMatching(false);
    setIds((previousIds) =>
      runs.every(({ runId }) => previousIds.has(runId)) ? new Set() : new Set(runs.map(({ runId }) => runId)),
    );
  }, []);
  const target: BulkTarget | undefined = isAllMatchingSelected
    ? { filter: query }
    : ids.size > 0
      ? { runIds: [...ids] }
      : undefined;
  return {
    ids,
    isAllMatchingSelected,
    target,
    toggle,
    toggleAll,
    selectAllMatching: useCallback(() => setAllMatching(true), []),
    clear,
  };
}
