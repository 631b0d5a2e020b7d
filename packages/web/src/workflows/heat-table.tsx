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
export function HeatTable({ elements: statistics, names, selected, onSelect }: HeatTableProps) {
  const elements = useMemo(() => sortAsInModel(statistics, names), [statistics, names]);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      elements.findIndex(({ elementId }) => elementId === selected),
    ),
  );
  const columns = useMemo(() => createColumns(names), [names]);
  return (
    <div className="cs-heat-table">
      <VirtualTable
        label={t.table}
        columns={columns}
        items={elements}
        getKey={({ elementId }) => elementId}
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
function sortAsInModel(
  elements: readonly ElementStatistics[],
  names: readonly WorkflowElement[],
): readonly ElementStatistics[] {
  const positions = new Map(names.map(({ elementId }, index) => [elementId, index]));
  const getPosition = ({ elementId }: ElementStatistics): number => positions.get(elementId) ?? names.length;
  return [...elements].sort((a, b) => getPosition(a) - getPosition(b));
}

function createColumns(names: readonly WorkflowElement[]): readonly Column<ElementStatistics>[] {
  const nameById = new Map(names.map(({ elementId, name }) => [elementId, name]));
  return [
    {
      key: 'element',
      header: t.columns.element,
      width: 'minmax(130px, 1fr)',
      cell: ({ elementId }) => nameById.get(elementId) ?? elementId,
    },
    figureColumn('entered', ({ entered }) => entered),
    figureColumn('running', ({ active, waiting }) => active + waiting),
    figureColumn('completed', ({ completed }) => completed),
    figureColumn('failed', ({ failed }) => failed),
    figureColumn('median', ({ durationMs }) => durationText(durationMs.median)),
    figureColumn('p95', ({ durationMs }) => durationText(durationMs.p95)),
    figureColumn('rejected', ({ approvals }) => approvals?.rejected ?? NO_VALUE),
  ];
}

const NO_VALUE = '–';

function durationText(ms: number | null): string {
  return ms === null ? NO_VALUE : formatDuration(ms);
}

function figureColumn(
  key: keyof typeof t.columns,
  getValue: (element: ElementStatistics) => string | number,
): Column<ElementStatistics> {
  return {
    key,
    header: <div className="cs-figure">{t.columns[key]}</div>,
    width: '72px',
    cell: (element) => <div className="cs-figure">{getValue(element)}</div>,
  };
}
