/** A page and its query, without the `?`. */
export interface PageLocation {
  readonly pathname: string;
  readonly query: string;
}

interface RouterLocation {
  readonly pathname: string;
  readonly search: string;
}

/** The part of a React Router router that is needed here (`createBrowserRouter`, `createMemoryRouter`). */
interface TrackedRouter {
  readonly basename: string | undefined;
  readonly state: {
    readonly location: RouterLocation;
    /** While the router loads a page, `location` is the location of that page. */
    readonly navigation: { readonly location: RouterLocation | undefined };
  };
}

let trackedRouter: TrackedRouter | undefined;

/** Sets the router that `getRequestedLocation` reads. A window has only one router at a time. */
export function trackRouter<R extends TrackedRouter>(router: R): R {
  trackedRouter = router;
  return router;
}

/**
 * Returns the latest requested location, no matter whether a link, a key, the address bar or the Back button requested
 * it. It is read from the router, because `useLocation` returns a location only after the page has rendered: the second
 * of two quick changes would start from the location before the first one and revert it.
 */
export function getRequestedLocation(): PageLocation {
  if (trackedRouter === undefined) throw new Error('No router is set: pass the router to trackRouter().');
  const { basename = '/', state } = trackedRouter;
  const { pathname, search } = state.navigation.location ?? state.location;
  return { pathname: stripBase(pathname, basename), query: new URLSearchParams(search).toString() };
}

function stripBase(pathname: string, basename: string): string {
  const base = basename.replace(/\/+$/, '');
  const relativePath = pathname.toLowerCase().startsWith(base.toLowerCase()) ? pathname.slice(base.length) : pathname;
  return relativePath === '' ? '/' : relativePath;
}
