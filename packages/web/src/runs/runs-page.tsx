import { useShortcuts } from '@countersign/inbox-ui/keys/keys-provider';
import { useHasRole, useSession } from '@countersign/inbox-ui/session/session';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { lazyDialog } from '@countersign/inbox-ui/ui/lazy-dialog';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { Page } from '@countersign/inbox-ui/ui/page';
import { SavedViewsMenu } from '@countersign/inbox-ui/ui/saved-views-menu';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { VirtualTable } from '@countersign/inbox-ui/ui/virtual-table';
import { Button, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Run } from '@countersign/contract';
import { IconArrowUp, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { showsEngine } from '../run/shows-engine.js';
import { texts } from '../texts/index.js';
import type { BulkTarget } from './bulk-runs-dialog.js';
import type { BulkOperation } from './run-bulk-operation.js';
import { SelectionBar } from './selection-bar.js';
import { createRunColumns } from './run-columns.js';
import { RunFilterBar } from './run-filter-bar.js';
import { normalizeQuery, parseRunFilter, toQueryText } from './run-filter.js';
import { RUN_VIEWS } from './run-views.js';
import { useRunSelection } from './use-run-selection.js';
import { useStableRows } from './use-stable-rows.js';
import { useRunFilter } from './use-run-filter.js';
import { useRunCount } from './use-run-count.js';
import { useRunList } from './use-run-list.js';
import './runs.css';

const BulkRunsDialog = lazyDialog(async () => (await import('./bulk-runs-dialog.js')).BulkRunsDialog);

/** Lists all runs, newest first and updated live, with filters and bulk operations. */
export function RunsPage() {
  const navigate = useNavigate();
  const { me } = useSession();
  const mayOperate = useHasRole('operator');
  const isNarrow = useMediaQuery('(max-width: 62em)') ?? false;
  const isPhone = useMediaQuery('(max-width: 36em)') ?? false;
  const { filter, query, setFilter, setFilterValue } = useRunFilter();
  const list = useRunList(query);
  const { rows, newRunCount, onReading, showNewRows } = useStableRows(list.runs, query);
  const selection = useRunSelection(rows, query);
  const [currentId, setCurrentId] = useState<string>();
  const [bulkAction, setBulkAction] = useState<{ readonly operation: BulkOperation; readonly target: BulkTarget }>();
  const searchRef = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const countQuery = useRunCount(query);

  const currentIndex = Math.max(
    0,
    rows.findIndex(({ runId }) => runId === currentId),
  );
  const currentRun: Run | undefined = rows[currentIndex];
  const openRun = ({ runId }: Run): void => void navigate(`/runs/${runId}`);
  const startBulkAction = (operation: BulkOperation): void => {
    const target =
      selection.target ??
      (currentRun === undefined || currentId === undefined ? undefined : { runIds: [currentRun.runId] });
    if (target !== undefined && bulkAction === undefined) setBulkAction({ operation, target });
  };
  const focusRow = (index: number): void => {
    scroller.current
      ?.querySelector<HTMLElement>(`[data-index="${Math.max(0, Math.min(rows.length - 1, index))}"]`)
      ?.focus();
  };
  useShortcuts([
    { action: 'runs.search', run: () => searchRef.current?.focus() },
    // If a row has the focus, the table handles these keys; otherwise they move the focus to a row.
    { action: 'runs.down', run: () => focusRow(currentId === undefined ? 0 : currentIndex + 1) },
    { action: 'runs.up', run: () => focusRow(currentIndex - 1) },
    {
      action: 'runs.open',
      run: currentRun === undefined || currentId === undefined ? undefined : () => openRun(currentRun),
    },
    ...(mayOperate
      ? [
          { action: 'runs.choose', run: () => currentRun !== undefined && selection.toggle(currentRun, false) },
          { action: 'runs.range', run: () => currentRun !== undefined && selection.toggle(currentRun, true) },
          { action: 'runs.cancel', run: () => startBulkAction('cancel') },
          { action: 'runs.recover', run: () => startBulkAction('recover') },
        ]
      : []),
    ...(me.may.startRun ? [{ action: 'runs.start', run: () => void navigate('/runs/new') }] : []),
  ]);

  const { isAllMatchingSelected, ids, toggle, toggleAll } = selection;
  const hasEngineColumn = rows.some((run) => showsEngine(run, me));
  const columns = useMemo(
    () =>
      createRunColumns(
        mayOperate
          ? {
              isSelected: ({ runId }) => isAllMatchingSelected || ids.has(runId),
              onSelect: toggle,
              allSelected: rows.length > 0 && (isAllMatchingSelected || rows.every(({ runId }) => ids.has(runId))),
              someSelected: ids.size > 0,
              onSelectAll: () => toggleAll(rows),
            }
          : undefined,
        hasEngineColumn,
        isPhone ? 'little' : isNarrow ? 'some' : 'all',
      ),
    [mayOperate, hasEngineColumn, isPhone, isNarrow, rows, isAllMatchingSelected, ids, toggle, toggleAll],
  );
  const isFiltered = Object.keys(filter).length > 0;

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
        <SavedViewsMenu
          list="run"
          predefinedViews={RUN_VIEWS}
          query={toQueryText(filter)}
          normalize={normalizeQuery}
          onQuery={(text) => setFilter(parseRunFilter(new URLSearchParams(text)))}
        />
        <RunFilterBar
          filter={filter}
          searchRef={searchRef}
          onFilterChange={setFilterValue}
          onClear={() => setFilter({})}
        />
        {/* Takes the place of the count, so that the rows do not move while the user reads them. */}
        {newRunCount > 0 ? (
          <Button
            variant="light"
            size="compact-md"
            my={4}
            ml="auto"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={() => {
              showNewRows();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            {texts.runs.showNewRuns(newRunCount)}
          </Button>
        ) : (
          <Text size="sm" c="dimmed" ml="auto" lh="36px">
            {countQuery.data === undefined ? '' : texts.runs.count(countQuery.data.count, countQuery.data.exact)}
          </Text>
        )}
      </Group>
      {list.error !== null && <ProblemNotice error={list.error} onRetry={list.retry} />}
      {list.isPending && <Loading />}
      {!list.isPending && list.error === null && rows.length === 0 && (
        <EmptyState
          title={isFiltered ? texts.runs.noMatch : texts.runs.none}
          hint={isFiltered ? texts.runs.noMatchHint : texts.runs.noneHint}
        />
      )}
      {rows.length > 0 && (
        <VirtualTable
          label={texts.runs.table}
          columns={columns}
          items={rows}
          getKey={({ runId }) => runId}
          rowHeight={isPhone ? 60 : 44}
          hasMore={!list.complete}
          loadingMore={list.loadingMore}
          onLoadMore={list.loadMore}
          onOpen={openRun}
          current={currentIndex}
          onCurrent={(index) => setCurrentId(rows[index]?.runId)}
          isSelected={({ runId }) => selection.isAllMatchingSelected || selection.ids.has(runId)}
          onRange={list.onRange}
          onReading={onReading}
          scrollerRef={scroller}
        />
      )}
      {mayOperate && (selection.ids.size > 0 || selection.isAllMatchingSelected) && (
        <SelectionBar selection={selection} onAction={startBulkAction} />
      )}
      {bulkAction !== undefined && (
        <BulkRunsDialog
          operation={bulkAction.operation}
          target={bulkAction.target}
          onClose={(done) => {
            setBulkAction(undefined);
            if (done) selection.clear();
          }}
        />
      )}
    </Page>
  );
}
