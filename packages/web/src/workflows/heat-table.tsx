import { Anchor, Table } from '@mantine/core';
import type { ElementStatistics, WorkflowElement } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { formatDuration } from '../time/format-time.js';

const { heat: t } = texts.workflows;

interface HeatTableProps {
  readonly elements: readonly ElementStatistics[];
  readonly names: readonly WorkflowElement[];
  readonly selected: string | undefined;
  onSelect(elementId: string): void;
}

/** The same figures as on the diagram, and all the others, to be read. */
export function HeatTable({ elements, names, selected, onSelect }: HeatTableProps) {
  const nameOf = new Map(names.map(({ elementId, name }) => [elementId, name]));
  const duration = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label={t.table} fz="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {Object.entries(t.columns).map(([key, label]) => (
              <Table.Th key={key} scope="col" ta={key === 'element' ? 'start' : 'end'}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {elements.map(({ elementId, entered, active, waiting, completed, failed, durationMs, approvals }) => (
            <Table.Tr key={elementId} bg={elementId === selected ? 'var(--mantine-primary-color-light)' : undefined}>
              <Table.Th scope="row" fw={500}>
                <Anchor component="button" type="button" size="xs" ta="start" c="inherit" onClick={() => onSelect(elementId)}>
                  {nameOf.get(elementId) ?? elementId}
                </Anchor>
              </Table.Th>
              {[entered, active + waiting, completed, failed, duration(durationMs.median), duration(durationMs.p95), approvals === null ? '–' : approvals.rejected].map((figure, index) => (
                <Table.Td key={index} ta="end" style={{ whiteSpace: 'nowrap' }}>
                  {figure}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
