import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** What of a run is shown; all of it stands in the address, so that it can be linked to. */
export interface RunAddress {
  readonly tab: string | undefined;
  /** The step that is opened. */
  readonly step: string | undefined;
  /** The element that is chosen on the diagram and in the tree. */
  readonly element: string | undefined;
  /** The run event behind which the run is shown; left out: as it is now. */
  readonly at: number | undefined;
}

type Change = { readonly [K in keyof RunAddress]?: RunAddress[K] | undefined };

/** The last change, until the router has taken it up: what changes meanwhile adds to it, and does not take it back. */
let underWay: { readonly key: string; readonly next: URLSearchParams } | undefined;

export function useRunAddress(): readonly [RunAddress, (change: Change) => void] {
  const [query, setQuery] = useSearchParams();
  const { key } = useLocation();
  useEffect(() => {
    underWay = undefined;
  }, [key]);
  const address = useMemo<RunAddress>(() => {
    const at = Number(query.get('at'));
    return { tab: query.get('tab') ?? undefined, step: query.get('step') ?? undefined, element: query.get('element') ?? undefined, at: Number.isInteger(at) && at > 0 ? at : undefined };
  }, [query]);
  const change = useCallback(
    (to: Change): void =>
      setQuery(
        (now) => {
          const next = new URLSearchParams(underWay?.key === key ? underWay.next : now);
          for (const [name, value] of Object.entries(to)) {
            if (value === undefined) next.delete(name);
            else next.set(name, String(value));
          }
          underWay = { key, next };
          return next;
        },
        // A glance at this and that is no place to come back to; another tab is.
        { replace: !('tab' in to) },
      ),
    [setQuery, key],
  );
  return [address, change];
}
