import { Alert } from '@mantine/core';
import { texts } from '../texts/index.js';
import { MAX_CSV_COLUMNS } from '../ui/parse-csv.js';
import { CellTable } from './cell-table.js';
import { isCompleteTable, type CsvTable } from './read-csv-table.js';

const t = texts.approvals.csv;

interface CsvViewProps {
  readonly table: CsvTable;
  /** Label for screen readers. */
  readonly label: string;
}

/** Evidence as a table. The box around it scrolls in both directions. */
export function CsvView({ table, label }: CsvViewProps) {
  const { headings, rows, numericColumns, hasOmittedRows, hasOmittedColumns, isMalformed } = table;
  return (
    <>
      {!isCompleteTable(table) && (
        <Alert color="yellow" mb="xs">
          {[
            ...(hasOmittedRows ? [t.omittedRows(rows.length)] : []),
            ...(hasOmittedColumns ? [t.omittedColumns(MAX_CSV_COLUMNS)] : []),
            ...(isMalformed ? [t.malformed] : []),
            t.notCounted,
          ].join(' ')}
        </Alert>
      )}
      <div className="cs-csv-evidence" data-exceeds-width="" role="group" aria-label={label}>
        <CellTable
          headings={headings.map((heading, index) => (heading.trim() === '' ? t.column(index + 1) : heading))}
          rows={rows}
          numericColumns={numericColumns}
        />
      </div>
    </>
  );
}
