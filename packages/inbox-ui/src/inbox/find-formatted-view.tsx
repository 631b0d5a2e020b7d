import { type JsonValue, parseExactJson } from '@countersign/contract';
import type { ReactNode } from 'react';
import { AnsiText } from '../ui/ansi-text.js';
import { JsonView } from '../ui/json-view.js';
import { Markdown } from '../ui/markdown.js';
import { parseAnsi } from '../ui/parse-ansi.js';
import { isPatch, parsePatch } from '../ui/parse-patch.js';
import { isDisplayedWhole, PatchView } from '../ui/patch-view.js';
import { CsvView } from './csv-view.js';
import type { EvidenceKind } from './evidence-source.js';
import { isCompleteTable, readCsvTable } from './read-csv-table.js';

/** A view of evidence that is easier to read than its text. */
export interface FormattedView {
  /** Whether the view omits nothing and shows nothing only on request, so that it counts as seen. */
  readonly isComplete: boolean;
  render(): ReactNode;
}

/** Returns the formatted view of a text; `undefined` if it has none. */
export function findFormattedView(kind: EvidenceKind, text: string, name: string): FormattedView | undefined {
  switch (kind) {
    case 'markdown':
      return { isComplete: false, render: () => <Markdown text={text} headingLevel={4} /> };
    case 'json':
      return findJsonView(text, name);
    case 'csv':
      return findTableView(text, name);
    case 'tsv':
      return findTableView(text, name, '\t');
    case 'text':
      return findPatchView(text, name) ?? findAnsiView(text);
    default:
      return undefined;
  }
}

function findJsonView(text: string, name: string): FormattedView | undefined {
  const value = parseJson(text);
  return value === undefined
    ? undefined
    : { isComplete: false, render: () => <JsonView value={value} label={name} maxHeight={360} /> };
}

/** Returns a table of the values: if it is complete, it omits only the separators, the quotes and a byte order mark. */
function findTableView(text: string, name: string, separator?: string): FormattedView | undefined {
  const table = readCsvTable(text, separator);
  return table && { isComplete: isCompleteTable(table), render: () => <CsvView table={table} label={name} /> };
}

function findPatchView(text: string, name: string): FormattedView | undefined {
  if (!isPatch(text)) return undefined;
  const files = parsePatch(text);
  return { isComplete: isDisplayedWhole(files), render: () => <PatchView files={files} label={name} /> };
}

/** Returns the output of a program with its colours: it omits only the sequences of its styles. */
function findAnsiView(text: string): FormattedView | undefined {
  const spans = parseAnsi(text);
  return spans && { isComplete: true, render: () => <AnsiText spans={spans} /> };
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return parseExactJson(text) as JsonValue;
  } catch {
    return undefined;
  }
}
