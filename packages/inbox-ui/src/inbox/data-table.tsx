import { Button } from '@mantine/core';
import type { JsonObject, JsonValue } from '@countersign/contract';
import { useState } from 'react';
import { texts } from '../texts/index.js';
import { CellTable } from './cell-table.js';
import type { JsonTable } from './find-table.js';

/** Number of rows that are displayed at first. */
const FIRST_ROWS = 50;
/** Number of further rows that are displayed with each request. */
const ROWS_PER_STEP = 500;

interface DataTableProps {
  readonly label: string;
  readonly table: JsonTable;
}

/** A list of objects as a table. Rows beyond the first ones are displayed on request. */
export function DataTable({ label, table: { columns, rows } }: DataTableProps) {
  const [shownCount, setShownCount] = useState(FIRST_ROWS);
  const shownRows = rows.slice(0, shownCount);
  const numericColumns = new Set(columns.flatMap((column, index) => (isNumeric(rows, column) ? [index] : [])));
  return (
    <>
      <div className="cs-data-table" data-scrolls-sideways="" role="group" aria-label={label} tabIndex={0}>
        <CellTable
          headings={columns}
          rows={shownRows.map((row) =>
            columns.map((column) => formatCell(Object.hasOwn(row, column) ? row[column] : undefined)),
          )}
          numericColumns={numericColumns}
        />
      </div>
      {rows.length > shownRows.length && (
        <Button
          size="compact-sm"
          variant="default"
          mt={6}
          data-partly-hidden=""
          onClick={() => setShownCount(shownCount + ROWS_PER_STEP)}
        >
          {texts.approvals.moreRows(rows.length - shownCount)}
        </Button>
      )}
    </>
  );
}

function isNumeric(rows: readonly JsonObject[], column: string): boolean {
  return rows.every((row) => !Object.hasOwn(row, column) || row[column] === null || typeof row[column] === 'number');
}

/** Returns an empty text for a missing value, which differs from `null`. */
function formatCell(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
