import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { getRequestedLocation } from './page-location.js';

interface NavigationOptions {
  /** Another address of the same page. */
  readonly pathname?: string;
  /** Replaces the history entry, because the change adds no page to return to. */
  readonly replace: boolean;
}

export type ChangeQuery = (change: (before: URLSearchParams) => URLSearchParams, options: NavigationOptions) => void;

/**
 * Returns the query of the address and a function that changes it, based on the latest requested address, even if the
 * router does not show it yet. (`useSearchParams` of React Router uses the displayed address, so the second of two
 * quick changes reverts the first.)
 *
 * A change belongs to the page it was made on. If the router has moved to another page since, the change is dropped: it
 * neither holds the user back nor ends up in the other page's address.
 *
 * @param isPage returns whether a path belongs to this page; if omitted, only the displayed path does. Must be the same
 * function each time.
 * @returns the change function is stable across queries
 */
export function useAddressQuery(isPage?: (pathname: string) => boolean): readonly [URLSearchParams, ChangeQuery] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const ownPathname = isPage === undefined ? pathname : undefined;
  const change = useCallback<ChangeQuery>(
    (updateQuery, { pathname: newPathname, replace }) => {
      const { pathname: requestedPathname, query: requestedQuery } = getRequestedLocation();
      if (requestedPathname !== ownPathname && isPage?.(requestedPathname) !== true) return;
      void navigate(
        {
          pathname: newPathname ?? requestedPathname,
          search: updateQuery(new URLSearchParams(requestedQuery)).toString(),
        },
        { replace },
      );
    },
    [navigate, ownPathname, isPage],
  );
  return [query, change];
}
