import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback } from 'react';

type QueryChanges = Readonly<Record<string, string | number | undefined>>;

export interface UrlState {
  /** Returns a part of the query; `undefined` if it is missing or empty. */
  get(name: string): string | undefined;
  /** Changes some parts of the query and keeps the others; `undefined` and the empty string remove a part. */
  set(changes: QueryChanges): void;
}

/**
 * State of a page in the query of its address, so that it can be linked to. Going back leaves the page, not a filter.
 */
export function useUrlState(): UrlState {
  const [query, changeQuery] = useAddressQuery();
  const set = useCallback(
    (changes: QueryChanges) => changeQuery((previousQuery) => mergeQuery(previousQuery, changes), { replace: true }),
    [changeQuery],
  );
  return { get: (name) => query.get(name) || undefined, set };
}
