import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { filterOf, queryOf, withFilter, type RunFilter, type RunsQuery } from './run-filter.js';

interface FilterInAddress {
  readonly filter: RunFilter;
  readonly query: RunsQuery;
  setFilter(filter: RunFilter): void;
}

/** The filter of the address. */
export function useRunFilter(): FilterInAddress {
  const [params, setParams] = useSearchParams();
  const text = withFilter(new URLSearchParams(), filterOf(params)).toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(text)), [text]);
  const query = useMemo(() => queryOf(filter, Date.now()), [filter]);
  const setFilter = useCallback((next: RunFilter) => setParams((now) => withFilter(now, next)), [setParams]);
  return { filter, query, setFilter };
}
