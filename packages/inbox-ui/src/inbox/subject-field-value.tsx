import type { JsonObject, JsonValue, SubjectField } from '@countersign/contract';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { formatExact } from '../time/format-time.js';
import { ExternalLink } from '../ui/external-link.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { formatMoney } from '../ui/format-money.js';
import { Markdown } from '../ui/markdown.js';
import { parseIsoDay } from '../ui/parse-iso-day.js';
import { PlainOrFormatted } from '../ui/plain-or-formatted.js';
import { ChangeValue } from './change-value.js';
import { DataTable } from './data-table.js';
import { findTable } from './find-table.js';
import { FoldedText } from './folded-text.js';
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
  money: formatAmount,
  date: formatDate,
  link: formatLink,
  diff: formatDiff,
  markdown: formatMarkdown,
  table: (value, label) => {
    const table = findTable(value);
    return table === undefined ? undefined : <DataTable label={label} table={table} />;
  },
};

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Formats a date, or a date with time and offset, as an exact time: an approver decides on it. */
function formatDate(value: JsonValue): ReactNode {
  const parsed = typeof value === 'string' ? parseIsoDay(value) : undefined;
  if (typeof value !== 'string' || parsed === undefined) return undefined;
  return <time dateTime={value}>{parsed.hasTime ? formatExact(value) : dayFormat.format(parsed.at)}</time>;
}

/** Formats an amount. If the value or the currency does not fit, shows both as they are. */
function formatAmount(value: JsonValue, label: string, currency: string | undefined): ReactNode {
  const amount = formatMoney(value, currency);
  if (amount !== undefined || currency === undefined) return amount;
  return (
    <>
      <SubjectValue value={value} label={label} /> {escapeInvisible(currency)}
    </>
  );
}

/** Formats Markdown, with its source on request. What the formatted text leaves out does not count as seen. */
function formatMarkdown(value: JsonValue): ReactNode {
  if (typeof value !== 'string') return undefined;
  return (
    <PlainOrFormatted
      plain={<FoldedText text={value} />}
      formatted={() => (
        <div data-partly-hidden={LINK_DEFINITION.test(value) ? '' : undefined}>
          <Markdown text={value} headingLevel={5} />
        </div>
      )}
      isFormattedFirst
    />
  );
}

/** A definition of a link or a footnote, which the formatted text does not show. */
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

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
