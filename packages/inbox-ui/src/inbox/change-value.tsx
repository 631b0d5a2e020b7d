import { VisuallyHidden } from '@mantine/core';
import type { JsonValue } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { TextDiff } from '../ui/text-diff.js';

const t = texts.approvals;

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
  const showsType = hasOtherType(before, after);
  if (!isInlineChange(before, after))
    return <TextDiff before={toDiffText(before, showsType)} after={toDiffText(after, showsType)} label={label} />;
  if (before === after) return <bdi>{toInlineText(after, false)}</bdi>;
  // Without isolation, right-to-left values would swap their places.
  return (
    <span className="cs-inline-change" dir="ltr">
      <VisuallyHidden>{t.changedFrom} </VisuallyHidden>
      <del>
        <bdi>{toInlineText(before, showsType)}</bdi>
      </del>{' '}
      → <VisuallyHidden>{t.changedTo} </VisuallyHidden>
      <ins>
        <bdi>{toInlineText(after, showsType)}</bdi>
      </ins>
    </span>
  );
}

/** Returns whether both values have types whose texts could be the same, such as `1` and `"1"`. */
function hasOtherType(before: JsonValue, after: JsonValue): boolean {
  return typeof before !== typeof after && before !== null && after !== null;
}

/** Returns whether a change is displayed in one line. */
export function isInlineChange(before: JsonValue, after: JsonValue): boolean {
  return [before, after].every(
    (value) =>
      (typeof value !== 'object' || value === null) &&
      !String(value).includes('\n') &&
      String(value).length <= MAX_INLINE_LENGTH,
  );
}

function toInlineText(value: JsonValue, showsType: boolean): string {
  if (value === null) return t.noValue;
  if (value === '') return t.emptyText;
  return escapeInvisible(showsType ? JSON.stringify(value) : String(value));
}

/** Returns a string unchanged unless its type matters, nothing for `null`, and other values as indented JSON. */
function toDiffText(value: JsonValue, showsType: boolean): string {
  if (value === null) return '';
  return typeof value === 'string' && !showsType ? value : JSON.stringify(value, null, 2);
}
