import { IconChevronRight } from '@tabler/icons-react';
import { texts } from '../texts/index.js';
import type { JsonRow } from './json-rows.js';
import { escapeInvisible } from './escape-invisible.js';

/**
 * Maximum lengths of a displayed string: until the user expands it, and after that. An even longer string is cut, but
 * can be copied in full.
 */
const MAX_COLLAPSED_LENGTH = 160;
const MAX_EXPANDED_LENGTH = 200_000;

interface JsonLineProps {
  readonly row: JsonRow;
  readonly index: number;
  readonly start: number;
  readonly current: boolean;
  readonly full: boolean;
  readonly mark: string | undefined;
  measure(element: Element | null): void;
  onFocus(): void;
  onOpen(): void;
}

/** A line of a JSON tree. */
export function JsonLine({ row, index, start, current, full, mark, measure, onFocus, onOpen }: JsonLineProps) {
  const { name, level, size, expanded, position, siblingCount, hiddenCount } = row;
  const foldable = size !== undefined && size > 0;
  return (
    <div
      ref={measure}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-expanded={foldable ? expanded : undefined}
      aria-selected={current}
      data-index={index}
      tabIndex={current ? 0 : -1}
      className={mark === undefined ? 'cs-json-line' : 'cs-json-line cs-json-marked'}
      style={{ transform: `translateY(${start}px)`, paddingLeft: 4 + (Math.min(level, 30) - 1) * 14 }}
      onFocus={onFocus}
      onClick={() => window.getSelection()?.isCollapsed !== false && onOpen()}
    >
      <span className="cs-json-fold">
        {foldable && (
          <IconChevronRight size={13} aria-hidden style={{ transform: expanded ? 'rotate(90deg)' : undefined }} />
        )}
      </span>
      <span className="cs-json-text">
        {name !== undefined && <span className="cs-json-name">{escapeInvisible(name)}: </span>}
        {hiddenCount === undefined ? (
          <Value row={row} full={full} />
        ) : (
          <span className="cs-json-hint">{texts.ui.json.more(hiddenCount)}</span>
        )}
        {mark !== undefined && <span className="cs-json-mark">{mark}</span>}
      </span>
    </div>
  );
}

function Value({ row: { value, size, expanded }, full }: { readonly row: JsonRow; readonly full: boolean }) {
  if (typeof value === 'string') return <StringValue text={value} full={full} />;
  if (size === undefined || value === null) return <span className="cs-json-atom">{String(value)}</span>;
  const [start, end, countText] = Array.isArray(value)
    ? ['[', ']', texts.ui.json.items(size)]
    : ['{', '}', texts.ui.json.members(size)];
  if (size === 0) return <span className="cs-json-hint">{`${start}${end}`}</span>;
  return <span className="cs-json-hint">{expanded ? countText : `${start} ${countText} ${end}`}</span>;
}

/** Returns whether the end of a string is not displayed. @param full whether the user has expanded it */
export function isStringCut(text: string, full: boolean): boolean {
  return text.length > getShownLength(text, full);
}

function getShownLength(text: string, full: boolean): number {
  if (full) return MAX_EXPANDED_LENGTH;
  const lineBreakIndex = text.indexOf('\n');
  return Math.min(MAX_COLLAPSED_LENGTH, lineBreakIndex === -1 ? MAX_COLLAPSED_LENGTH : Math.max(lineBreakIndex, 1));
}

function StringValue({ text, full }: { readonly text: string; readonly full: boolean }) {
  const shownLength = getShownLength(text, full);
  const hiddenLength = text.length - shownLength;
  return (
    <>
      <span className="cs-json-string">{`"${escapeInvisible(hiddenLength > 0 ? text.slice(0, shownLength) : text)}"`}</span>
      {hiddenLength > 0 && <span className="cs-json-hint"> {texts.ui.json.rest(hiddenLength)}</span>}
    </>
  );
}
