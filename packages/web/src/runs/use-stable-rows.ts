import type { Run } from '@countersign/contract';
import { useCallback, useMemo, useRef, useState } from 'react';
import { mergeStableRows } from './run-list.js';

interface StableRows {
  readonly rows: readonly Run[];
  /** Number of new runs that are not shown yet. */
  readonly newRunCount: number;
  onReading(reading: boolean): void;
  /** Shows the new runs. */
  showNewRows(): void;
}

/**
 * Keeps rows in place while the user reads them.
 *
 * @param list object that identifies the list; rows are kept only while it is the same object
 */
export function useStableRows(runs: readonly Run[], list: object): StableRows {
  const [isReading, setIsReading] = useState(false);
  const [showNewRowsCount, setReleaseCount] = useState(0);
  const shownRef = useRef<{ readonly list: object; readonly released: number; readonly rows: readonly Run[] }>({
    list,
    released: showNewRowsCount,
    rows: [],
  });
  const { rows, newRunCount } = useMemo(() => {
    const { list: shownList, released: shownReleaseCount, rows: shownRows } = shownRef.current;
    const keepsRows = isReading && shownList === list && shownReleaseCount === showNewRowsCount;
    return keepsRows ? mergeStableRows(shownRows, runs) : { rows: runs, newRunCount: 0 };
  }, [runs, isReading, showNewRowsCount, list]);
  shownRef.current = { list, released: showNewRowsCount, rows };
  return {
    rows,
    newRunCount,
    onReading: setIsReading,
    showNewRows: useCallback(() => setReleaseCount((count) => count + 1), []),
  };
}
