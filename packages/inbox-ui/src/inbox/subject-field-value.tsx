import type { JsonObject, JsonValue, SubjectField } from '@countersign/contract';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { Timestamp } from '../time/timestamp.js';
import { ExternalLink } from '../ui/external-link.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { formatMoney } from '../ui/format-money.js';
import { Markdown } from '../ui/markdown.js';
import { ChangeValue } from './change-value.js';
import { DataTable } from './data-table.js';
import { findColumns, isTableRows } from './find-columns.js';
import { splitChange } from './split-change.js';
import { needsWidth, SubjectValue } from './subject-value.js';

/**
 * Value of a field in the format that the BPMN model gives it. A value that does not fit its format is displayed like an
 * input, so that nothing is hidden.
 */
export function SubjectFieldValue({ field }: { readonly field: SubjectField }) {
  const { value, label, currency } = field;
  if (value === null) return <em>{texts.approvals.noValue}</em>;
  return FORMATS[field.format](value, label, currency) ?? <SubjectValue value={value} label={label} />;
}

/** Returns whether a value needs the whole width. */
export function fillsWidth({ format, value }: SubjectField): boolean {
  if (format === 'link' || format === 'date' || format === 'money') return false;
  return format === 'markdown' || needsWidth(value);
}

type FormatValue = (value: JsonValue, label: string, currency: string | undefined) => ReactNode;

const FORMATS: Readonly<Record<SubjectField['format'], FormatValue>> = {
  text: () => undefined,
  money: (value, _label, currency) => formatMoney(value, currency),
  date: formatDate,
  link: formatLink,
  diff: formatDiff,
  markdown: (value) => (typeof value === 'string' ? <Markdown text={value} headingLevel={5} /> : undefined),
  table: (value, label) => {
    const columns = findColumns(value);
    return columns === undefined || !isTableRows(value) ? undefined : (
      <DataTable label={label} columns={columns} rows={value} />
    );
  },
};

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Formats an ISO 8601 date, or a date with time and offset. */
function formatDate(value: JsonValue): ReactNode {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return <time dateTime={value}>{dateFormat.format(Date.parse(value))}</time>;
  return /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? <Timestamp at={value} tense="either" /> : undefined;
}

function formatLink(value: JsonValue): ReactNode {
  if (typeof value === 'string') return <ExternalLink href={value} label={escapeInvisible(value)} />;
  if (!isObject(value) || typeof value['url'] !== 'string') return undefined;
  const { text = value['url'], url } = value;
  return typeof text === 'string' ? <ExternalLink href={url} label={escapeInvisible(text)} /> : undefined;
}

function formatDiff(value: JsonValue, label: string): ReactNode {
  const change = splitChange(value);
  // Other values, such as patches, are recognized by themselves.
  return change === undefined || Object.keys(change.rest).length > 0 ? undefined : (
    <ChangeValue before={change.before} after={change.after} label={label} />
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
