import type { Run } from '@countersign/contract';
import { useCallback, useMemo, useRef, useState } from 'react';
import { stableRows } from './run-list.js';

interface HeldRows {
  readonly rows: readonly Run[];
  /** New runs that wait to be shown. */
  readonly fresh: number;
  onReading(reading: boolean): void;
  /** Shows what waits. */
  release(): void;
}

/** Keeps rows where they are while somebody is at them. @param list another value for another list. */
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
