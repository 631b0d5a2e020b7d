import type { ElementStatistics, WorkflowElement } from '@countersign/contract';
import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { VirtualTable, type Column } from '@countersign/inbox-ui/ui/virtual-table';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';

const { heat: t } = texts.workflows;

interface HeatTableProps {
  readonly elements: readonly ElementStatistics[];
  readonly workflowElements: readonly WorkflowElement[];
  readonly selected: string | undefined;
  onSelect(elementId: string): void;
}

/** Shows all figures of each element as a table, including the figures in the diagram. */
export function HeatTable({ elements: statistics, workflowElements, selected, onSelect }: HeatTableProps) {
  const elements = useMemo(() => sortAsInModel(statistics, workflowElements), [statistics, workflowElements]);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      elements.findIndex(({ elementId }) => elementId === selected),
    ),
  );
  const columns = useMemo(() => createColumns(workflowElements), [workflowElements]);
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
 * Sorts the elements as in the model, which is roughly the order of execution; elements that exist only in other
 * versions come last.
 */
function sortAsInModel(
  elements: readonly ElementStatistics[],
  workflowElements: readonly WorkflowElement[],
): readonly ElementStatistics[] {
  const positions = new Map(workflowElements.map(({ elementId }, index) => [elementId, index]));
  const getPosition = ({ elementId }: ElementStatistics): number => positions.get(elementId) ?? workflowElements.length;
  return [...elements].sort((a, b) => getPosition(a) - getPosition(b));
}

function createColumns(workflowElements: readonly WorkflowElement[]): readonly Column<ElementStatistics>[] {
  const nameById = new Map(workflowElements.map(({ elementId, name }) => [elementId, name]));
  return [
    {
      key: 'element',
      header: t.columns.element,
      width: 'minmax(130px, 1fr)',
      cell: ({ elementId }) => nameById.get(elementId) ?? elementId,
    },
    createFigureColumn('entered', ({ entered }) => entered),
    createFigureColumn('running', ({ active, waiting }) => active + waiting),
    createFigureColumn('completed', ({ completed }) => completed),
    createFigureColumn('failed', ({ failed }) => failed),
    createFigureColumn('median', ({ durationMs }) => formatOptionalDuration(durationMs.median)),
    createFigureColumn('p95', ({ durationMs }) => formatOptionalDuration(durationMs.p95)),
    createFigureColumn('rejected', ({ approvals }) => approvals?.rejected ?? NO_VALUE),
  ];
}

const NO_VALUE = '–';

function formatOptionalDuration(ms: number | null): string {
  return ms === null ? NO_VALUE : formatDuration(ms);
}

function createFigureColumn(
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
