import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Text } from '@mantine/core';
import type { RunState } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { findVariableChanges } from './find-variable-changes.js';

const t = texts.timeTravel;
const NO_CHANGES = Object.freeze({
  marks: new Map<string, 'added' | 'changed'>(),
  removed: Object.freeze([] as string[]),
});

/** Shows the variables after an event, with the changes since the previous event. */
export function StateVariables({ runId, state }: { readonly runId: string; readonly state: RunState }) {
  const client = useClient();
  const previousState = useQuery({
    queryKey: queryKeys.runState(runId, state.at - 1),
    queryFn: ({ signal }) => client.getRunState({ runId, at: state.at - 1 }, { signal }),
    enabled: state.at > 1,
    staleTime: 'static',
  });
  const previousVariables = useMemo(
    () => (state.at === 1 ? {} : (previousState.data?.variables ?? null)),
    [state.at, previousState.data],
  );
  const { variables } = state;
  const changes = useMemo(
    () =>
      variables === null || previousVariables === null ? NO_CHANGES : findVariableChanges(previousVariables, variables),
    [variables, previousVariables],
  );
  const markLabels = useMemo(() => new Map([...changes.marks].map(([path, mark]) => [path, t[mark]])), [changes]);
  const count = [...changes.marks.keys()].filter((path) => path.indexOf('/', 1) === -1).length + changes.removed.length;
  if (variables === null)
    return (
      <Text size="sm" c="dimmed">
        {t.unknown}
      </Text>
    );
  return (
    <Disclosure title={t.variables(count)}>
      {() => (
        <>
          <JsonView value={variables} label={t.variables(0)} marked={markLabels} maxHeight={220} />
          {changes.removed.length > 0 && <Text size="sm">{t.removed(changes.removed.join(', '))}</Text>}
        </>
      )}
    </Disclosure>
  );
}
