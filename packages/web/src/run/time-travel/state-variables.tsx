import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Text } from '@mantine/core';
import type { RunState } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { variableChanges } from './variable-changes.js';

const t = texts.timeTravel;
const NOTHING = Object.freeze({
  marks: new Map<string, 'added' | 'changed'>(),
  removed: Object.freeze([] as string[]),
});

/** Shows the variables after an event, with the changes since the event before. */
export function StateVariables({ runId, state }: { readonly runId: string; readonly state: RunState }) {
  const client = useClient();
  const before = useQuery({
    queryKey: keys.runState(runId, state.at - 1),
    queryFn: ({ signal }) => client.getRunState({ runId, at: state.at - 1 }, { signal }),
    enabled: state.at > 1,
    staleTime: 'static',
  });
  const earlier = useMemo(() => (state.at === 1 ? {} : (before.data?.variables ?? null)), [state.at, before.data]);
  const { variables } = state;
  const changes = useMemo(
    () => (variables === null || earlier === null ? NOTHING : variableChanges(earlier, variables)),
    [variables, earlier],
  );
  const marked = useMemo(() => new Map([...changes.marks].map(([path, mark]) => [path, t[mark]])), [changes]);
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
          <JsonView value={variables} label={t.variables(0)} marked={marked} maxHeight={220} />
          {changes.removed.length > 0 && <Text size="sm">{t.removed(changes.removed.join(', '))}</Text>}
        </>
      )}
    </Disclosure>
  );
}
