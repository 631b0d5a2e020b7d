import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback, useMemo } from 'react';
import { filterOf, queryOf, withFilter, type FilterName, type RunFilter, type RunsQuery } from './run-filter.js';

interface FilterInAddress {
  readonly filter: RunFilter;
  readonly query: RunsQuery;
  /** Replaces the whole filter. */
  setFilter(filter: RunFilter): void;
  /** Sets one part of the filter; `null` and the empty string remove it. */
  setPart(name: FilterName, value: string | null): void;
}

/** Filter in the address. */
export function useRunFilter(): FilterInAddress {
  const [params, change] = useAddressQuery();
  const text = withFilter(new URLSearchParams(), filterOf(params)).toString();
  const filter = useMemo(() => filterOf(new URLSearchParams(text)), [text]);
  const query = useMemo(() => queryOf(filter, Date.now()), [filter]);
  const setFilter = useCallback(
    (next: RunFilter) => change((before) => withFilter(before, next), { replace: false }),
    [change],
  );
  const setPart = useCallback(
    (name: FilterName, value: string | null) =>
      change((before) => mergeQuery(before, { [name]: value }), { replace: false }),
    [change],
  );
  return { filter, query, setFilter, setPart };
}
