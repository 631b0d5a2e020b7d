import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Anchor, Badge, Text } from '@mantine/core';
import type { DmnDecision } from '@countersign/contract';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { DmnDecisionDrawer } from './dmn-decision-drawer.js';

const t = texts.workflows;

/** Lists the latest version of each DMN decision; `?decision=` opens one. */
export function DmnDecisionList() {
  const client = useClient();
  const url = useUrlState();
  const [current, setCurrent] = useState(0);
  const { items, query, loadMore } = usePages<DmnDecision>(queryKeys.decisions, (cursor, signal) =>
    client.listDecisions(cursor === undefined ? {} : { cursor }, { signal }),
  );
  const openDecisionId = url.get('decision');
  const openDecision = (decisionId: string): void => url.set({ decision: decisionId, version: undefined });
  if (query.isPending) return <Loading />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={t.decisions.none} hint={t.decisions.noneHint} />;
  return (
    <>
      <VirtualTable
        label={t.decisions.label}
        columns={createColumns(openDecision)}
        items={items}
        getKey={({ decisionId }) => decisionId}
        rowHeight={52}
        hasMore={query.hasNextPage}
        loadingMore={query.isFetchingNextPage}
        onLoadMore={loadMore}
        onOpen={({ decisionId }) => openDecision(decisionId)}
        current={current}
        onCurrent={setCurrent}
        isSelected={({ decisionId }) => decisionId === openDecisionId}
      />
      <DmnDecisionDrawer
        decisionId={openDecisionId}
        version={url.get('version')}
        onVersionChange={(version) => url.set({ version })}
        onClose={() => url.set({ decision: undefined, version: undefined })}
      />
    </>
  );
}

function createColumns(openDecision: (decisionId: string) => void): readonly Column<DmnDecision>[] {
  return [
    {
      key: 'name',
      header: t.columns.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ decisionId, name }) => (
        <>
          <Anchor
            component="button"
            type="button"
            fw={600}
            c="inherit"
            size="sm"
            tabIndex={-1}
            onClick={() => openDecision(decisionId)}
          >
            {name}
          </Anchor>
          <Text size="xs" c="dimmed" ff="monospace" truncate>
            {decisionId}
          </Text>
        </>
      ),
    },
    {
      key: 'type',
      header: t.columns.type,
      width: '140px',
      cell: ({ decisionType }) => t.decisions.types[decisionType],
    },
    {
      key: 'version',
      header: t.columns.version,
      width: '80px',
      cell: ({ version }) => (
        <Badge variant="light" tt="none">
          {t.shortVersion(version)}
        </Badge>
      ),
    },
    { key: 'versions', header: t.columns.versions, width: '80px', cell: ({ versions }) => versions.length },
    {
      key: 'deployed',
      header: t.columns.deployed,
      width: 'minmax(120px, 1fr)',
      cell: ({ versions: [newest] }) => newest !== undefined && <Timestamp at={newest.deployedAt} />,
    },
  ];
}
