import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AddressQueue } from './address-queue.js';

/** One for all parts of the page: they change one address. */
const queue = new AddressQueue();

interface Going {
  /** Another page. */
  readonly pathname?: string;
  /** Takes the place of the entry in the history: what it shows is no place to come back to. */
  readonly replace: boolean;
}

export type ChangeQuery = (change: (before: URLSearchParams) => URLSearchParams, going: Going) => void;

interface Located {
  /** With the base path. */
  readonly pathname: string;
}

/** What of the router tells where it goes, which is before the page is there: pages are loaded when they are first gone to. */
interface Navigating {
  readonly basename: string | undefined;
  readonly state: { readonly location: Located; readonly navigation: { readonly location?: Located | undefined } };
}

let router: Navigating | undefined;

export function watchNavigation(of: Navigating): void {
  router = of;
}

/** Whether the router goes from this page to another one, or has gone there and not shown it yet. */
function isLeft(pathname: string): boolean {
  if (router === undefined) return false;
  const { location, navigation } = router.state;
  return (navigation.location ?? location).pathname !== `${(router.basename ?? '').replace(/\/$/, '')}${pathname}`;
}

/** The page that was asked for last, also where the router has not shown it yet. */
export const pathnameAskedFor = (): string => queue.latest.pathname;

/**
 * The query of the address, and how it is changed: from what was asked for last, also where the router has not shown that yet.
 * (`useSearchParams` of React Router starts from what is shown, so that the second of two quick changes takes the first back.)
 *
 * @returns a function that stays the same from one query to the next.
 */
export function useAddressQuery(): readonly [URLSearchParams, ChangeQuery] {
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  useEffect(
    () => queue.show({ pathname, query: new URLSearchParams(search).toString() }, key),
    [pathname, search, key],
  );
  const change = useCallback<ChangeQuery>(
    (changed, { pathname: other, replace }) => {
      const { pathname: same, query: before } = queue.latest;
      // What a page notes in its address, often a moment later, is not to take back where its reader has gone meanwhile.
      if (replace && other === undefined && same === queue.shown.pathname && isLeft(same)) return;
      const next = { pathname: other ?? same, query: changed(new URLSearchParams(before)).toString() };
      queue.ask(next);
      void navigate({ pathname: next.pathname, search: next.query }, { replace });
    },
    [navigate],
  );
  return [query, change];
}
