import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback } from 'react';

type QueryChanges = Readonly<Record<string, string | number | undefined>>;

export interface UrlState {
  /** Returns a query parameter; `undefined` if it is missing or empty. */
  get(name: string): string | undefined;
  /** Changes some query parameters and keeps the others; `undefined` and the empty string remove a parameter. */
  set(changes: QueryChanges): void;
}

/**
 * Keeps the state of a page in the query of its URL, so that users can link to it. A change replaces the history entry:
 * Back leaves the page instead of reverting a filter.
 */
export function useUrlState(): UrlState {
  const [query, changeQuery] = useAddressQuery();
  const set = useCallback(
    (changes: QueryChanges) => changeQuery((previousQuery) => mergeQuery(previousQuery, changes), { replace: true }),
    [changeQuery],
  );
  return { get: (name) => query.get(name) || undefined, set };
}
