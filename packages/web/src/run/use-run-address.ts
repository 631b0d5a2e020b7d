import { useEngineSupport } from '@countersign/inbox-ui/session/use-engine-support';
import { useAddressQuery } from '@countersign/inbox-ui/ui/use-address-query';
import { mergeQuery } from '@countersign/inbox-ui/ui/merge-query';
import { useCallback, useMemo } from 'react';

/** Tab, step, element and past state that the run page shows. They are in the URL, so that users can link to them. */
export interface RunAddress {
  readonly tab: string | undefined;
  /** Id of the step that is open. */
  readonly step: string | undefined;
  /** Id of the element that is selected on the diagram and in the tree. */
  readonly element: string | undefined;
  /** Sequence number of the run event whose state is shown; `undefined` for the current state. */
  readonly at: number | undefined;
}

type RunAddressChange = { readonly [K in keyof RunAddress]?: RunAddress[K] | undefined };

export function useRunAddress(): readonly [RunAddress, (change: RunAddressChange) => void] {
  const [query, changeQuery] = useAddressQuery();
  const hasPastStates = useEngineSupport().supports('time_travel');
  const address = useMemo<RunAddress>(() => {
    const at = Number(query.get('at'));
    return {
      tab: query.get('tab') ?? undefined,
      step: query.get('step') ?? undefined,
      element: query.get('element') ?? undefined,
      at: hasPastStates && Number.isInteger(at) && at > 0 ? at : undefined,
    };
  }, [query, hasPastStates]);
  // Only a change of the tab adds an entry to the browser history; opening a step does not.
  const changeAddress = useCallback(
    (update: RunAddressChange): void =>
      changeQuery((previousQuery) => mergeQuery(previousQuery, update), { replace: !('tab' in update) }),
    [changeQuery],
  );
  return [address, changeAddress];
}
