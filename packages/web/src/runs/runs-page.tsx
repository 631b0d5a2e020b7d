import { useClient } from '@countersign/inbox-ui/api/client-context';
import { keys } from '@countersign/inbox-ui/api/keys';
import { useShortcuts } from '@countersign/inbox-ui/keys/keys-provider';
import { useMay, useSession } from '@countersign/inbox-ui/session/session';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { VirtualTable } from '@countersign/inbox-ui/ui/virtual-table';
import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Run } from '@countersign/contract';
import { useQuery } from '@tanstack/react-query';
import { IconArrowUp, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { texts } from '../texts/index.js';
import { BulkRunsDialog, type BulkTarget } from './bulk-runs-dialog.js';
import type { BulkOperation } from './bulk-work.js';
import { SelectionBar } from './selection-bar.js';
import { runColumns } from './run-columns.js';
import { RunFilters } from './run-filters.js';
import { SavedViewsMenu } from './saved-views-menu.js';
import { useRunSelection } from './use-run-selection.js';
import { useStableRows } from './use-stable-rows.js';
import { useRunFilter } from './use-run-filter.js';
import { useRunList } from './use-run-list.js';
import './runs.css';

/** Lists all runs, newest first and live, with filters and actions on several runs. */
export function RunsPage() {
  const client = useClient();
  const navigate = useNavigate();
  const { me } = useSession();
  const mayOperate = useMay('operator');
  const narrow = useMediaQuery('(max-width: 62em)') ?? false;
  const phone = useMediaQuery('(max-width: 36em)') ?? false;
  const { filter, query, setFilter, setPart } = useRunFilter();
  const list = useRunList(query);
  const { rows, fresh, onReading, release } = useStableRows(list.runs, query);
  const choice = useRunSelection(rows, query);
  const [currentId, setCurrentId] = useState<string>();
  const [doing, setDoing] = useState<{ readonly operation: BulkOperation; readonly target: BulkTarget }>();
  const search = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const count = useQuery({
    queryKey: keys.runs({ count: query }),
    queryFn: ({ signal }) => client.countRuns(query, { signal }),
  });

  const current = Math.max(
    0,
    rows.findIndex(({ runId }) => runId === currentId),
  );
  const run: Run | undefined = rows[current];
  const open = ({ runId }: Run): void => void navigate(`/runs/${runId}`);
  const begin = (operation: BulkOperation): void => {
    const target =
      choice.target ?? (run === undefined || currentId === undefined ? undefined : { runIds: [run.runId] });
    if (target !== undefined && doing === undefined) setDoing({ operation, target });
  };
  const goTo = (index: number): void => {
    scroller.current
      ?.querySelector<HTMLElement>(`[data-index="${Math.max(0, Math.min(rows.length - 1, index))}"]`)
      ?.focus();
  };
  useShortcuts([
    { action: 'runs.search', run: () => search.current?.focus() },
    // On a row, the table handles these keys; from anywhere else they lead to it.
    { action: 'runs.down', run: () => goTo(currentId === undefined ? 0 : current + 1) },
    { action: 'runs.up', run: () => goTo(current - 1) },
    { action: 'runs.open', run: run === undefined || currentId === undefined ? undefined : () => open(run) },
    ...(mayOperate
      ? [
          { action: 'runs.choose', run: () => run !== undefined && choice.toggle(run, false) },
          { action: 'runs.range', run: () => run !== undefined && choice.toggle(run, true) },
          { action: 'runs.cancel', run: () => begin('cancel') },
          { action: 'runs.recover', run: () => begin('recover') },
        ]
      : []),
    ...(me.may.startRun ? [{ action: 'runs.start', run: () => void navigate('/runs/new') }] : []),
  ]);

  const { allMatching, ids, toggle, chooseAll } = choice;
  const columns = useMemo(
    () =>
      runColumns(
        mayOperate
          ? {
              isChosen: ({ runId }) => allMatching || ids.has(runId),
              onChoose: toggle,
              all: rows.length > 0 && (allMatching || rows.every(({ runId }) => ids.has(runId))),
              some: ids.size > 0,
              onChooseAll: () => chooseAll(rows),
            }
          : undefined,
        phone ? 'little' : narrow ? 'some' : 'all',
      ),
    [mayOperate, phone, narrow, rows, allMatching, ids, toggle, chooseAll],
  );
  const filtered = Object.keys(filter).length > 0;

  return (
    <Page
      title={texts.runs.title}
      actions={
        me.may.startRun && (
          <Button component={Link} to="/runs/new" leftSection={<IconPlayerPlay size={16} aria-hidden />}>
            {texts.runs.startOne}
          </Button>
        )
      }
    >
      <Group gap="xs" mb="xs" align="flex-start" className="cs-runs-tools">
        <SavedViewsMenu filter={filter} onFilter={setFilter} />
        <RunFilters filter={filter} searchRef={search} onPart={setPart} onClear={() => setFilter({})} />
        {/* Replaces the count: nothing may move the rows while they are read. */}
        {fresh > 0 ? (
          <Button
            variant="light"
            size="compact-md"
            my={4}
            ml="auto"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={() => {
              release();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            {texts.runs.fresh(fresh)}
          </Button>
        ) : (
          <Text size="sm" c="dimmed" ml="auto" lh="36px">
            {count.data === undefined ? '' : texts.runs.count(count.data.count, count.data.exact)}
          </Text>
        )}
      </Group>
      {list.error !== null && <ProblemNotice error={list.error} onRetry={list.retry} />}
      {list.isPending && <Loading />}
      {!list.isPending && list.error === null && rows.length === 0 && (
        <EmptyState
          title={filtered ? texts.runs.noMatch : texts.runs.none}
          hint={filtered ? texts.runs.noMatchHint : texts.runs.noneHint}
        />
      )}
      {rows.length > 0 && (
        <VirtualTable
          label={texts.runs.table}
          columns={columns}
          items={rows}
          keyOf={({ runId }) => runId}
          rowHeight={phone ? 60 : 44}
          hasMore={!list.complete}
          loadingMore={list.loadingMore}
          onLoadMore={list.loadMore}
          onOpen={open}
          current={current}
          onCurrent={(index) => setCurrentId(rows[index]?.runId)}
          isSelected={({ runId }) => choice.allMatching || choice.ids.has(runId)}
          onRange={list.onRange}
          onReading={onReading}
          scrollerRef={scroller}
        />
      )}
      {mayOperate && (choice.ids.size > 0 || choice.allMatching) && <SelectionBar choice={choice} onDo={begin} />}
      {doing !== undefined && (
        <BulkRunsDialog
          operation={doing.operation}
          target={doing.target}
          onClose={(done) => {
            setDoing(undefined);
            if (done) choice.clear();
          }}
        />
      )}
    </Page>
  );
}
