import type { Run } from '@countersign/contract';
import { useCallback, useMemo, useRef, useState } from 'react';
import { stableRows } from './run-list.js';

interface HeldRows {
  readonly rows: readonly Run[];
  /** Number of new runs that wait to be shown. */
  readonly fresh: number;
  onReading(reading: boolean): void;
  /** Shows the waiting runs. */
  release(): void;
}

/**
 * Keeps rows in place while the user reads them.
 *
 * @param list a different value for a different list
 */
export function useStableRows(runs: readonly Run[], list: object): HeldRows {
  const [reading, setReading] = useState(false);
  const [released, setReleased] = useState(0);
  const shown = useRef<{ readonly list: object; readonly released: number; readonly rows: readonly Run[] }>({
    list,
    released,
    rows: [],
  });
  const { rows, fresh } = useMemo(() => {
    const { list: heldList, released: heldSince, rows: held } = shown.current;
    const still = reading && heldList === list && heldSince === released;
    return still ? stableRows(held, runs) : { rows: runs, fresh: 0 };
  }, [runs, reading, released, list]);
  shown.current = { list, released, rows };
  return { rows, fresh, onReading: setReading, release: useCallback(() => setReleased((count) => count + 1), []) };
}
