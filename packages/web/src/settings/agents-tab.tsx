import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Stack, Text, Title } from '@mantine/core';
import type { Agent } from '@countersign/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { loadAllPages } from '../api/load-all-pages.js';
import { texts } from '../texts/index.js';
import { NameWithDescription } from './name-with-description.js';
import { ToolList } from './tool-list.js';

const { agents: t } = texts.settings;

/**
 * Lists the defined agents and the tools that they may call. All pages are loaded, because `ToolList` shows stopped
 * tools first.
 */
export function AgentsTab() {
  const client = useClient();
  const agentsQuery = useQuery({
    queryKey: queryKeys.agents,
    queryFn: ({ signal }) => loadAllPages((page) => client.listAgents(page, { signal })),
  });
  const toolsQuery = useQuery({
    queryKey: queryKeys.tools,
    queryFn: ({ signal }) => loadAllPages((page) => client.listTools(page, { signal })),
  });
  return (
    <Stack style={{ overflow: 'auto' }}>
      <ListSection title={t.tools} emptyText={t.noTools} query={toolsQuery}>
        {(items) => <ToolList tools={items} />}
      </ListSection>
      <ListSection title={t.agents} emptyText={t.noAgents} query={agentsQuery}>
        {(items) => <AgentList agents={items} />}
      </ListSection>
    </Stack>
  );
}

interface ListSectionProps<T> {
  readonly title: string;
  /** Text for an empty list. */
  readonly emptyText: string;
  readonly query: UseQueryResult<readonly T[]>;
  children(items: readonly T[]): ReactNode;
}

function ListSection<T>({ title, emptyText, query, children }: ListSectionProps<T>) {
  return (
    <section aria-label={title} className="cs-settings-list">
      <Title order={2} size="h5" mb={4}>
        {title}
      </Title>
      {query.isPending && <Loading />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && (query.data.length === 0 ? <Text size="sm">{emptyText}</Text> : children(query.data))}
    </section>
  );
}

const COLUMNS: readonly Column<Agent>[] = [
  {
    key: 'name',
    header: t.columns.name,
    width: 'minmax(160px, 2fr)',
    cell: ({ name, description }) => <NameWithDescription name={name} description={description} />,
  },
  {
    key: 'model',
    header: t.columns.model,
    width: 'minmax(120px, 1fr)',
    cell: ({ model }) => `${model.provider} · ${model.name}`,
  },
  {
    key: 'tools',
    header: t.columns.tools,
    width: 'minmax(140px, 2fr)',
    cell: ({ tools }) => <span title={tools.join(', ')}>{tools.join(', ')}</span>,
  },
  {
    key: 'digest',
    header: t.columns.digest,
    width: '170px',
    cell: ({ digest }) => (
      <Text span ff="monospace" size="xs" title={digest}>
        {digest.slice(0, 19)}…
      </Text>
    ),
  },
];

function AgentList({ agents }: { readonly agents: readonly Agent[] }) {
  const [current, setCurrent] = useState(0);
  return (
    <VirtualTable
      label={t.agents}
      columns={COLUMNS}
      items={agents}
      getKey={({ name }) => name}
      rowHeight={60}
      current={current}
      onCurrent={setCurrent}
    />
  );
}
