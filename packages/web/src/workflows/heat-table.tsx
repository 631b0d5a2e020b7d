import type { ElementStatistics, WorkflowElement } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';

const { heat: t } = texts.workflows;

interface HeatTableProps {
  readonly elements: readonly ElementStatistics[];
  readonly names: readonly WorkflowElement[];
  readonly selected: string | undefined;
  onSelect(elementId: string): void;
}

/** Shows the figures of the diagram, and all others, as a table. */
export function HeatTable({ elements: found, names, selected, onSelect }: HeatTableProps) {
  const elements = useMemo(() => inOrder(found, names), [found, names]);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      elements.findIndex(({ elementId }) => elementId === selected),
    ),
  );
  const columns = useMemo(() => columnsOf(names), [names]);
  return (
    <div className="cs-heat-table">
      <VirtualTable
        label={t.table}
        columns={columns}
        items={elements}
        keyOf={({ elementId }) => elementId}
        rowHeight={36}
        current={current}
        onCurrent={setCurrent}
        onOpen={({ elementId }) => onSelect(elementId)}
        scrollTo={elements.findIndex(({ elementId }) => elementId === selected)}
        isSelected={({ elementId }) => elementId === selected}
      />
    </div>
  );
}

/**
 * Sorts the elements as in the model, which is roughly the order of execution; those only in other versions come last.
 */
function inOrder(
  elements: readonly ElementStatistics[],
  names: readonly WorkflowElement[],
): readonly ElementStatistics[] {
  const places = new Map(names.map(({ elementId }, index) => [elementId, index]));
  const placeOf = ({ elementId }: ElementStatistics): number => places.get(elementId) ?? names.length;
  return [...elements].sort((a, b) => placeOf(a) - placeOf(b));
}

function columnsOf(names: readonly WorkflowElement[]): readonly Column<ElementStatistics>[] {
  const nameOf = new Map(names.map(({ elementId, name }) => [elementId, name]));
  return [
    {
      key: 'element',
      header: t.columns.element,
      width: 'minmax(130px, 1fr)',
      cell: ({ elementId }) => nameOf.get(elementId) ?? elementId,
    },
    figure('entered', ({ entered }) => entered),
    figure('running', ({ active, waiting }) => active + waiting),
    figure('completed', ({ completed }) => completed),
    figure('failed', ({ failed }) => failed),
    figure('median', ({ durationMs }) => duration(durationMs.median)),
    figure('p95', ({ durationMs }) => duration(durationMs.p95)),
    figure('rejected', ({ approvals }) => approvals?.rejected ?? NONE),
  ];
}

const NONE = '–';

function duration(ms: number | null): string {
  return ms === null ? NONE : formatDuration(ms);
}

function figure(
  key: keyof typeof t.columns,
  of: (element: ElementStatistics) => string | number,
): Column<ElementStatistics> {
  return {
    key,
    header: <div className="cs-figure">{t.columns[key]}</div>,
    width: '72px',
    cell: (element) => <div className="cs-figure">{of(element)}</div>,
  };
}
