import { Table } from '@mantine/core';
import { escapeInvisible } from '../ui/escape-invisible.js';

interface CellTableProps {
  readonly headings: readonly string[];
  /** Untrusted texts of the cells. */
  readonly rows: readonly (readonly string[])[];
  /** Indexes of the columns that contain only numbers. */
  readonly numericColumns: ReadonlySet<number>;
}

/** Rows of texts below headings. */
export function CellTable({ headings, rows, numericColumns }: CellTableProps) {
  const getStyle = (column: number) =>
    numericColumns.has(column) ? ({ ta: 'end', className: 'cs-cell cs-number' } as const) : { className: 'cs-cell' };
  return (
    <Table verticalSpacing={4} withTableBorder>
      <Table.Thead>
        <Table.Tr>
          {headings.map((heading, column) => (
            <Table.Th key={column} dir="auto" {...getStyle(column)}>
              {escapeInvisible(heading)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          <Table.Tr key={index}>
            {row.map((cell, column) => (
              <Table.Td key={column} dir="auto" {...getStyle(column)}>
                {escapeInvisible(cell)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
