import type { JsonValue } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { TextDiff } from '../ui/text-diff.js';

/** Values up to this length are displayed in one line. */
const MAX_INLINE_LENGTH = 60;

interface ChangeValueProps {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** Label for screen readers. */
  readonly label: string;
}

/** A change of a value: short values in one line, everything else line by line. */
export function ChangeValue({ before, after, label }: ChangeValueProps) {
  const [from, to] = [toInlineText(before), toInlineText(after)];
  if (from === undefined || to === undefined)
    return <TextDiff before={toDiffText(before)} after={toDiffText(after)} label={label} />;
  if (from === to && typeof before === typeof after) return <>{escapeInvisible(to)}</>;
  return (
    <span className="cs-inline-change">
      {before === null ? <em>{texts.approvals.noValue}</em> : <del>{escapeInvisible(from)}</del>} →{' '}
      {after === null ? <em>{texts.approvals.noValue}</em> : <ins>{escapeInvisible(to)}</ins>}
    </span>
  );
}

/** Returns whether a change is displayed in one line. */
export function isInlineChange(before: JsonValue, after: JsonValue): boolean {
  return toInlineText(before) !== undefined && toInlineText(after) !== undefined;
}

function toInlineText(value: JsonValue): string | undefined {
  if (value === null) return '';
  if (typeof value === 'object') return undefined;
  const text = String(value);
  return text.includes('\n') || text.length > MAX_INLINE_LENGTH ? undefined : text;
}

/** Returns a string unchanged, nothing for `null`, and other values as indented JSON. */
function toDiffText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
