import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { RunStatusBadge } from '@countersign/inbox-ui/ui/badges';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Anchor } from '@mantine/core';
import type { Run } from '@countersign/contract';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { texts } from '../texts/index.js';
import type { RunPartProps } from './run-part-props.js';

const COLUMNS: readonly Column<Run>[] = [
  {
    key: 'workflow',
    header: texts.run.workflow,
    width: 'minmax(160px, 2fr)',
    cell: ({ runId, workflowId }) => (
      <Anchor component={Link} size="sm" to={`/runs/${runId}`}>
        {workflowId}
      </Anchor>
    ),
  },
  { key: 'status', header: texts.run.children.status, width: '140px', cell: (run) => <RunStatusBadge run={run} /> },
  {
    key: 'step',
    header: texts.run.children.step,
    width: 'minmax(120px, 1fr)',
    cell: ({ currentStep }) => currentStep ?? '',
  },
  { key: 'started', header: texts.run.started, width: '160px', cell: ({ startedAt }) => <Timestamp at={startedAt} /> },
];

/** Lists the child runs of a run. */
export function ChildRuns({ run: { runId } }: RunPartProps) {
  const client = useClient();
  const navigate = useNavigate();
  const [current, setCurrent] = useState(0);
  const { items, query, loadMore } = usePages(queryKeys.runData(runId, 'called'), (cursor, signal) =>
    client.listRuns({ parentRunId: runId, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  if (query.isPending) return <Loading />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={texts.run.children.none} hint={texts.run.children.noneHint} />;
  return (
    <VirtualTable
      label={texts.run.tabs.children}
      columns={COLUMNS}
      items={items}
      getKey={(run) => run.runId}
      hasMore={query.hasNextPage}
      loadingMore={query.isFetchingNextPage}
      onLoadMore={loadMore}
      current={current}
      onCurrent={setCurrent}
      onOpen={(run) => void navigate(`/runs/${run.runId}`)}
    />
  );
}
