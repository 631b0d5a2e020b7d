import { SegmentedControl, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useEffect, useRef, useState } from 'react';
import { texts } from '../texts/index.js';
import type { DiffLine, DiffRow, DiffSide, MergedLine } from './diff-rows.js';
import { escapeInvisible } from './escape-invisible.js';
import { isAtEnd } from './is-at-end.js';
import './text-diff.css';

const t = texts.ui.diff;

export type DiffViewKind = 'split' | 'unified';

/** Returns the view of differences that the user has chosen; by default, side by side if the window is wide enough. */
export function useDiffView(): readonly [DiffViewKind, (view: DiffViewKind) => void] {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [chosenView, setChosenView] = useState<DiffViewKind>();
  return [chosenView ?? (isWide === true ? 'split' : 'unified'), setChosenView];
}

export function DiffViewSwitch({
  view,
  onChange,
}: {
  readonly view: DiffViewKind;
  onChange(view: DiffViewKind): void;
}) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={t.view}
      value={view}
      onChange={(value) => onChange(value === 'split' ? 'split' : 'unified')}
      data={[
        { value: 'split', label: t.split },
        { value: 'unified', label: t.unified },
      ]}
    />
  );
}

/** Maximum number of lines that are displayed at their full height; more lines scroll in a box. */
export const MAX_UNSCROLLED_LINES = 1_000;

interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  readonly view: DiffViewKind;
  /** Label for screen readers. */
  readonly label: string;
  /** Maximum height in px; taller content scrolls. Default: only long differences scroll. */
  readonly maxHeight?: number | undefined;
  /** Called to unfold unchanged lines. @param from index of the first folded row */
  onUnfold?(from: number): void;
}

/** Lines of a difference, marked by sign, underline or strikethrough, and colour. */
export function DiffLines(props: DiffLinesProps) {
  const { lines, label, maxHeight } = props;
  if (maxHeight !== undefined || lines.length > MAX_UNSCROLLED_LINES) return <ScrolledLines {...props} />;
  return (
    <div className="cs-diff-scroll" role="group" aria-label={label}>
      {lines.map((line, index) => (
        <Line key={index} line={line} {...props} />
      ))}
    </div>
  );
}

function ScrolledLines(props: DiffLinesProps) {
  const { lines, label, maxHeight = 640 } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [hasReachedEnd, setHasReachedEnd] = useState(false);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 12,
  });
  useEffect(() => {
    if (scroller.current !== null && isAtEnd(scroller.current)) setHasReachedEnd(true);
  }, [lines]);
  return (
    <div
      className="cs-diff-scroll"
      ref={scroller}
      style={{ maxHeight }}
      tabIndex={0}
      role="group"
      aria-label={label}
      data-partly-hidden={hasReachedEnd ? undefined : ''}
      onScroll={({ currentTarget }) => setHasReachedEnd((reached) => reached || isAtEnd(currentTarget))}
    >
      <div className="cs-diff-lines" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="cs-diff-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line line={line} {...props} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Line({ line, view, onUnfold }: Pick<DiffLinesProps, 'view' | 'onUnfold'> & { readonly line: DiffLine }) {
  if ('row' in line) return <Row row={line.row} split={view === 'split'} />;
  if ('merged' in line) return <Merged line={line.merged} />;
  if ('note' in line) return <div className="cs-diff-note">{escapeInvisible(line.note.replace(/\r$/, ''))}</div>;
  return (
    <UnstyledButton className="cs-diff-fold" data-partly-hidden="" onClick={() => onUnfold?.(line.from)}>
      {t.unchanged(line.to - line.from)}
    </UnstyledButton>
  );
}

function Row({ row: { before, after, same }, split }: { readonly row: DiffRow; readonly split: boolean }) {
  if (same && !split) return <Side side={after} other={before?.line} kind="same" />;
  if (split) {
    return (
      <div className="cs-diff-pair">
        {before === undefined ? (
          <div className="cs-diff-none" />
        ) : (
          <Side side={before} kind={same ? 'same' : 'removed'} />
        )}
        {after === undefined ? <div className="cs-diff-none" /> : <Side side={after} kind={same ? 'same' : 'added'} />}
      </div>
    );
  }
  return (
    <>
      {before !== undefined && <Side side={before} kind="removed" />}
      {after !== undefined && <Side side={after} kind="added" />}
    </>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** A line of a merged file, which has one column: a side would be needed for each parent. */
function Merged({ line: { kind, signs, text, line } }: { readonly line: MergedLine }) {
  return (
    <div className={`cs-diff-side cs-diff-${kind}`}>
      <span className="cs-diff-number" aria-hidden>
        {line}
      </span>
      <span className="cs-diff-sign cs-diff-signs" aria-hidden>
        {signs.replaceAll('-', '−')}
      </span>
      <span className="cs-diff-text">
        {kind !== 'same' && <VisuallyHidden>{t.mergedLine(line, t[kind])}</VisuallyHidden>}
        {escapeInvisible(text.replace(/\r$/, ''))}
      </span>
    </div>
  );
}

function Side({
  side,
  kind,
  other: otherLine,
}: {
  readonly side: DiffSide | undefined;
  readonly kind: keyof typeof SIGNS;
  readonly other?: number | undefined;
}) {
  if (side === undefined) return null;
  return (
    <div className={`cs-diff-side cs-diff-${kind}`}>
      <span className="cs-diff-number" aria-hidden>
        {otherLine === undefined || otherLine === side.line ? side.line : `${otherLine}/${side.line}`}
      </span>
      <span className="cs-diff-sign" aria-hidden>
        {SIGNS[kind]}
      </span>
      <span className="cs-diff-text">
        {kind !== 'same' && <VisuallyHidden>{`${t.line} ${side.line} ${t[kind]}: `}</VisuallyHidden>}
        {side.parts.map((part, index) => {
          // A Windows line ending is shown only if it is the difference.
          const text = escapeInvisible(kind === 'same' ? part.text.replace(/\r$/, '') : part.text);
          return (
            <Fragment key={index}>
              {part.changed ? kind === 'removed' ? <del>{text}</del> : <ins>{text}</ins> : text}
            </Fragment>
          );
        })}
      </span>
    </div>
  );
}
