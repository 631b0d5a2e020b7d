import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { texts } from '../../texts/index.js';
import type { DisplayedRun } from '../displayed-run.js';
import { StepRowView } from './step-row-view.js';
import { buildStepRows, type StepFilter } from './step-rows.js';
import { useTreeKeys } from './use-tree-keys.js';
import './step-tree.css';

const ROW_HEIGHT = 32;

interface StepTreeProps {
  readonly run: DisplayedRun;
  /** `stepId` of the outer step by `stepId`. */
  readonly scopes: ReadonlyMap<string, string>;
  readonly currentStepId: string | undefined;
  /** Called when a key moves to a step. */
  onMove(stepId: string): void;
  /** Called on Enter or a click. */
  onOpen(stepId: string): void;
}

/** Shows all steps of a run as a virtualized tree with the keys of the ARIA tree pattern. */
export function StepTree({ run, scopes, currentStepId, onMove, onOpen }: StepTreeProps) {
  const [filter, setFilter] = useState<StepFilter>('all');
  const [search, setSearch] = useState('');
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const deferredSearch = useDeferredValue(search);
  const rows = useMemo(
    () => buildStepRows({ steps: run.steps, scopes, collapsed, filter, search: deferredSearch }),
    [run.steps, scopes, collapsed, filter, deferredSearch],
  );
  const currentIndex = useMemo(
    () => (currentStepId === undefined ? -1 : rows.findIndex(({ step }) => step.stepId === currentStepId)),
    [rows, currentStepId],
  );
  const activeIndex = currentIndex === -1 ? 0 : currentIndex;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    // The current row is always rendered, so that the tree can refer to it.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(activeIndex < rows.length ? [activeIndex] : [])])].sort(
        (a, b) => a - b,
      ),
  });

  const showCurrent = useEffectEvent(() => {
    if (currentIndex !== -1) virtualizer.scrollToIndex(currentIndex);
  });
  // Runs only when the selection changes: new steps further up must not scroll the view.
  useEffect(() => showCurrent(), [currentStepId]);

  const toggle = useCallback(
    (stepId: string) =>
      setCollapsed((previous) =>
        previous.has(stepId) ? new Set([...previous].filter((each) => each !== stepId)) : new Set(previous).add(stepId),
      ),
    [],
  );
  const onKeyDown = useTreeKeys({
    rows,
    index: activeIndex,
    pageSize: () => Math.floor((scroller.current?.clientHeight ?? 320) / ROW_HEIGHT),
    onMove,
    onOpen,
    onToggle: toggle,
  });
  const runStart = Date.parse(run.startedAt);

  return (
    <section className="cs-steps" aria-label={texts.run.steps.title}>
      <div className="cs-steps-tools">
        <TextInput
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          aria-label={texts.run.steps.search}
          placeholder={texts.run.steps.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          aria-label={texts.run.steps.filter}
          value={filter}
          onChange={(nextFilter) => setFilter(nextFilter as StepFilter)}
          data={(['all', 'failed', 'waiting'] as const).map((value) => ({
            value,
            label: texts.run.steps.filters[value],
          }))}
        />
      </div>
      <div className="cs-steps-scroller" ref={scroller}>
        {rows.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            {run.steps.length === 0 ? texts.run.steps.none : texts.run.steps.noneFound}
          </Text>
        ) : (
          <div
            role="tree"
            aria-label={texts.run.steps.title}
            tabIndex={0}
            aria-activedescendant={`${id}-${rows[activeIndex]?.step.stepId}`}
            className="cs-steps-tree"
            style={{ height: virtualizer.getTotalSize() }}
            onKeyDown={onKeyDown}
          >
            {virtualizer.getVirtualItems().map(({ index: rowIndex, start }) => {
              const row = rows[rowIndex];
              return row === undefined ? null : (
                <StepRowView
                  key={row.step.stepId}
                  id={`${id}-${row.step.stepId}`}
                  row={row}
                  top={start}
                  height={ROW_HEIGHT}
                  isCurrent={rowIndex === currentIndex}
                  from={runStart}
                  to={run.now}
                  onOpen={onOpen}
                  onToggle={toggle}
                />
              );
            })}
          </div>
        )}
      </div>
      <Text size="xs" c="dimmed" className="cs-steps-count">
        {texts.run.steps.count(run.steps.length)}
      </Text>
    </section>
  );
}
