import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback, useMemo } from 'react';
import {
  parseRunFilter,
  toRunsQuery,
  setFilterParameters,
  toQueryText,
  type FilterName,
  type RunFilter,
  type RunsQuery,
} from './run-filter.js';

interface RunFilterState {
  readonly filter: RunFilter;
  readonly query: RunsQuery;
  /** Replaces the whole filter. */
  setFilter(filter: RunFilter): void;
  /** Sets the value of one filter; `null` and the empty string remove the filter. */
  setFilterValue(name: FilterName, value: string | null): void;
}

/** Reads the filter of the run list from the URL and changes it there. */
export function useRunFilter(): RunFilterState {
  const [params, changeQuery] = useAddressQuery();
  const filterText = toQueryText(parseRunFilter(params));
  const filter = useMemo(() => parseRunFilter(new URLSearchParams(filterText)), [filterText]);
  const query = useMemo(() => toRunsQuery(filter, Date.now()), [filter]);
  const setFilter = useCallback(
    (next: RunFilter) => changeQuery((previousQuery) => setFilterParameters(previousQuery, next), { replace: false }),
    [changeQuery],
  );
  const setFilterValue = useCallback(
    (name: FilterName, value: string | null) =>
      changeQuery((previousQuery) => mergeQuery(previousQuery, { [name]: value }), { replace: false }),
    [changeQuery],
  );
  return { filter, query, setFilter, setFilterValue };
}
