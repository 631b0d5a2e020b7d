import { useClient } from '@countersign/inbox-ui/api/client-context';
import { queryKeys } from '@countersign/inbox-ui/api/query-keys';
import { useSession } from '@countersign/inbox-ui/session/session';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { usePages } from '@countersign/inbox-ui/ui/use-pages';
import { useTypedText } from '@countersign/inbox-ui/ui/use-typed-text';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { Anchor, Badge, Button, Text, TextInput } from '@mantine/core';
import type { Workflow } from '@countersign/contract';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { texts } from '../texts/index.js';
import { useUrlState } from '../ui/use-url-state.js';
import { canStartOnRequest, describeStarts } from './describe-starts.js';

const t = texts.workflows;

/** Lists the newest version of each workflow. A search loads all pages. */
export function WorkflowList() {
  const client = useClient();
  const navigate = useNavigate();
  const url = useUrlState();
  const { me } = useSession();
  const [current, setCurrent] = useState(0);
  const { items, query, loadMore } = usePages<Workflow>(queryKeys.workflows, (cursor, signal) =>
    client.listWorkflows({ limit: 200, ...(cursor === undefined ? {} : { cursor }) }, { signal }),
  );
  const search = url.get('q');
  const [searchText, setSearchText] = useTypedText(search ?? '', (q) => url.set({ q }), 0);
  const matchingWorkflows = useMemo(() => items.filter((each) => matchesSearch(each, search)), [items, search]);
  useEffect(() => {
    if (search !== undefined && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  }, [search, query]);
  const columns = useMemo(() => createColumns(me.may.startRun), [me.may.startRun]);
  if (query.isPending) return <Loading />;
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0) return <EmptyState title={t.none} hint={t.noneHint} />;
  return (
    <>
      <TextInput
        aria-label={t.search}
        placeholder={t.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
        maw={360}
        mb="sm"
      />
      {matchingWorkflows.length === 0 && !query.hasNextPage ? (
        <EmptyState title={t.nothingFound} />
      ) : (
        <VirtualTable
          label={t.listLabel}
          columns={columns}
          items={matchingWorkflows}
          getKey={({ workflowId }) => workflowId}
          rowHeight={52}
          hasMore={query.hasNextPage}
          loadingMore={query.isFetchingNextPage}
          onLoadMore={loadMore}
          onOpen={({ workflowId }) => void navigate(`/workflows/${encodeURIComponent(workflowId)}`)}
          current={current}
          onCurrent={setCurrent}
        />
      )}
    </>
  );
}

function matchesSearch({ workflowId, name }: Workflow, search: string | undefined): boolean {
  return search === undefined || `${workflowId}\n${name ?? ''}`.toLowerCase().includes(search.trim().toLowerCase());
}

function createColumns(mayStart: boolean): readonly Column<Workflow>[] {
  const columns: readonly Column<Workflow>[] = [
    {
      key: 'name',
      header: t.columns.name,
      width: 'minmax(180px, 2fr)',
      cell: ({ workflowId, name }) => (
        <>
          <Anchor component={Link} to={`/workflows/${encodeURIComponent(workflowId)}`} fw={600} c="inherit" size="sm">
            {name ?? workflowId}
          </Anchor>
          <Text size="xs" c="dimmed" ff="monospace" truncate>
            {workflowId}
          </Text>
        </>
      ),
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
    { key: 'elements', header: t.columns.elements, width: '80px', cell: ({ elements }) => elements.length },
  ];
  if (!mayStart) return columns;
  const startColumn: Column<Workflow> = {
    key: 'start',
    header: t.columns.actions,
    width: '150px',
    cell: (workflow) =>
      canStartOnRequest(workflow) ? (
        <Button
          component={Link}
          to={getStartRunPath(workflow.workflowId)}
          size="xs"
          variant="light"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          aria-label={t.startLabel(workflow.name ?? workflow.workflowId)}
        >
          {t.start}
        </Button>
      ) : (
        <Text size="xs" c="dimmed" lineClamp={2} title={describeStarts(workflow)}>
          {describeStarts(workflow)}
        </Text>
      ),
  };
  return [...columns, startColumn];
}

/** Returns the path of the form that starts a run of a workflow. */
export function getStartRunPath(workflowId: string): string {
  return `/runs/new?${new URLSearchParams({ workflowId }).toString()}`;
}
