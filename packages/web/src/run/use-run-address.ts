import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback, useMemo } from 'react';

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

export function useRunAddress(): readonly [RunAddress, (change: Change) => void] {
  const [query, changeQuery] = useAddressQuery();
  const address = useMemo<RunAddress>(() => {
    const at = Number(query.get('at'));
    return {
      tab: query.get('tab') ?? undefined,
      step: query.get('step') ?? undefined,
      element: query.get('element') ?? undefined,
      at: Number.isInteger(at) && at > 0 ? at : undefined,
    };
  }, [query]);
  // A glance at this and that is no place to come back to; another tab is.
  const change = useCallback(
    (to: Change): void => changeQuery((before) => mergeQuery(before, to), { replace: !('tab' in to) }),
    [changeQuery],
  );
  return [address, change];
}
