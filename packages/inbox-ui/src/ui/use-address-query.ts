import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { placeAskedFor } from './place-asked-for.js';

interface Going {
  /** Another address of the same page. */
  readonly pathname?: string;
  /** Takes the place of the entry in the history: what it shows is no place to come back to. */
  readonly replace: boolean;
}

export type ChangeQuery = (change: (before: URLSearchParams) => URLSearchParams, going: Going) => void;

/**
 * The query of the address, and how it is changed: from what was asked for last, also where the router has not shown that yet.
 * (`useSearchParams` of React Router starts from what is shown, so that the second of two quick changes takes the first back.)
 *
 * A change belongs to the page it was made on. If the router was asked for another page meanwhile, the change is dropped: it
 * neither keeps the person from leaving nor ends up in the other page's address.
 *
 * @param isPage whether a path is one of this page; left out: only the path that is shown. Give the same function each time.
 * @returns a function that stays the same from one query to the next.
 */
export function useAddressQuery(isPage?: (pathname: string) => boolean): readonly [URLSearchParams, ChangeQuery] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const shown = isPage === undefined ? pathname : undefined;
  const change = useCallback<ChangeQuery>(
    (changed, { pathname: other, replace }) => {
      const { pathname: asked, query: before } = placeAskedFor();
      if (asked !== shown && isPage?.(asked) !== true) return;
      void navigate({ pathname: other ?? asked, search: changed(new URLSearchParams(before)).toString() }, { replace });
    },
    [navigate, shown, isPage],
  );
  return [query, change];
}
