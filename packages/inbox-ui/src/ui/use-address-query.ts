import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { getRequestedLocation } from './page-location.js';

interface NavigationOptions {
  /** Path of the same page to navigate to; by default the requested path. */
  readonly pathname?: string;
  /** Whether to replace the history entry instead of adding one to return to. */
  readonly replace: boolean;
  /**
   * Whether the page is displayed together with what changed in the same event, in one render. Otherwise, the changes
   * are displayed first, and the page as soon as its render is complete. Not allowed in effects.
   */
  readonly isImmediate?: boolean;
}

export type ChangeQuery = (change: (before: URLSearchParams) => URLSearchParams, options: NavigationOptions) => void;

/**
 * Returns the query of the address and a function that changes it, based on the latest requested address, even if the
 * router does not show it yet. (`useSearchParams` of React Router uses the displayed address, so the second of two
 * quick changes reverts the first.)
 *
 * A change applies only to the page on which it was made. If another page has been requested since then, the change is
 * dropped, so that it neither cancels that navigation nor modifies the other page's address.
 *
 * @param isPage returns whether a path belongs to this page; if omitted, only the displayed path does. Must be the
 *   same function in each render.
 * @returns the query and the change function, which stays the same when the query changes
 */
export function useAddressQuery(isPage?: (pathname: string) => boolean): readonly [URLSearchParams, ChangeQuery] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const ownPathname = isPage === undefined ? pathname : undefined;
  const change = useCallback<ChangeQuery>(
    (updateQuery, { pathname: newPathname, replace, isImmediate = false }) => {
      const { pathname: requestedPathname, query: requestedQuery } = getRequestedLocation();
      if (requestedPathname !== ownPathname && isPage?.(requestedPathname) !== true) return;
      void navigate(
        {
          pathname: newPathname ?? requestedPathname,
          search: updateQuery(new URLSearchParams(requestedQuery)).toString(),
        },
        { replace, flushSync: isImmediate },
      );
    },
    [navigate, ownPathname, isPage],
  );
  return [query, change];
}
