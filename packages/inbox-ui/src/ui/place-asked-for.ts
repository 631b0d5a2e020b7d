/** A page and its query, without the `?`. */
export interface Place {
  readonly pathname: string;
  readonly query: string;
}

interface RouterLocation {
  readonly pathname: string;
  readonly search: string;
}

/** What is needed of a router of React Router (`createBrowserRouter`, `createMemoryRouter`). */
interface FollowedRouter {
  readonly basename: string | undefined;
  readonly state: {
    readonly location: RouterLocation;
    /** Its location is where the router is going while it loads a page. */
    readonly navigation: { readonly location: RouterLocation | undefined };
  };
}

let followed: FollowedRouter | undefined;

/** Makes `placeAskedFor` tell of this router. A window has one at a time. */
export function followRouter<R extends FollowedRouter>(router: R): R {
  followed = router;
  return router;
}

/**
 * The place that the router was asked for last, by whatever means: a link, a key, the address bar, the way back. The router
 * itself is asked, since its pages learn of a place only when they are drawn: with `useLocation` the second of two quick
 * changes would start from the place before the first one, and take it back.
 */
export function placeAskedFor(): Place {
  if (followed === undefined) throw new Error('No router is followed: pass it to followRouter().');
  const { basename = '/', state } = followed;
  const { pathname, search } = state.navigation.location ?? state.location;
  return { pathname: withoutBase(pathname, basename), query: new URLSearchParams(search).toString() };
}

function withoutBase(pathname: string, basename: string): string {
  const base = basename.replace(/\/+$/, '');
  const below = pathname.toLowerCase().startsWith(base.toLowerCase()) ? pathname.slice(base.length) : pathname;
  return below === '' ? '/' : below;
}
