import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { texts } from '../texts/index.js';
import { collectTexts } from './syntax/collect-texts.js';
import { findLanguage } from './syntax/find-language.js';
import { useLineColors } from './syntax/use-line-colors.js';
import { Line, type LineContext } from './diff-line.js';
import type { DiffFold, DiffLine } from './diff-rows.js';
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
  /** All lines, including the folded ones; must be the same array on each render. Default: `lines`. */
  readonly allLines?: readonly DiffLine[];
  readonly view: DiffViewKind;
  /** Path of the compared file, whose extension determines the colours. */
  readonly path: string | undefined;
  /** Label for screen readers. */
  readonly label: string;
  /** Maximum height in px; taller content scrolls. Default: only long differences scroll. */
  readonly maxHeight?: number | undefined;
  /** Called to unfold unchanged lines, at the start or at the end of the folded block. */
  onUnfold?(fold: DiffFold, at: 'start' | 'end', count: number): void;
}

/** Lines of a difference, marked by sign, underline or strikethrough, and colour. */
export function DiffLines(props: DiffLinesProps) {
  const { lines, allLines = lines, view, path, label, maxHeight, onUnfold } = props;
  const texts = useMemo(() => collectTexts(allLines), [allLines]);
  const isScrolled = maxHeight !== undefined || lines.length > MAX_UNSCROLLED_LINES;
  const colors = useLineColors(texts, path === undefined ? undefined : findLanguage(path), isScrolled);
  const group = useRef<HTMLDivElement>(null);
  const unfoldedLine = useRef<number>(undefined);
  useLayoutEffect(() => {
    // The button that unfolded the rest of a block is gone.
    if (unfoldedLine.current !== undefined) focusLine(group.current, unfoldedLine.current);
    unfoldedLine.current = undefined;
  }, [lines]);
  const context: LineContext = {
    view,
    path,
    colors,
    onUnfold: (fold, at, count) => {
      if (count >= fold.to - fold.from) unfoldedLine.current = fold.from;
      onUnfold?.(fold, at, count);
    },
  };
  if (isScrolled)
    return <ScrolledLines lines={lines} context={context} label={label} maxHeight={maxHeight} group={group} />;
  return (
    <div className="cs-diff-scroll" role="group" aria-label={label} ref={group}>
      {lines.map((line, index) => (
        <Line key={getLineKey(line, index)} line={line} context={context} />
      ))}
    </div>
  );
}

/** Keeps the elements of folds and rows, and thus the focus, when lines are unfolded. */
function getLineKey(line: DiffLine | undefined, position: number): string | number {
  if (line === undefined) return position;
  if ('fold' in line) return `fold ${line.fold.block}`;
  return 'row' in line && line.index !== undefined ? line.index : position;
}

function focusLine(group: HTMLElement | null, index: number): void {
  const line = group?.querySelector<HTMLElement>(`[data-row="${index}"]`);
  if (line === null || line === undefined) return group?.focus({ preventScroll: true });
  line.tabIndex = -1;
  line.focus({ preventScroll: true });
}

interface ScrolledLinesProps extends Pick<DiffLinesProps, 'lines' | 'label' | 'maxHeight'> {
  readonly context: LineContext;
  readonly group: RefObject<HTMLDivElement | null>;
}

function ScrolledLines({ lines, context, label, maxHeight = 640, group: scroller }: ScrolledLinesProps) {
  const [hasReachedEnd, setHasReachedEnd] = useState(false);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => getLineKey(lines[index], index),
    estimateSize: () => 22,
    overscan: 12,
  });
  useEffect(() => {
    // Unfolded lines have not been in view, even if the end was.
    setHasReachedEnd(scroller.current !== null && isAtEnd(scroller.current));
  }, [lines, scroller]);
  // A folded line that is not rendered is hidden, too.
  const hasFolds = useMemo(() => lines.some((line) => 'fold' in line), [lines]);
  return (
    <div
      className="cs-diff-scroll"
      ref={scroller}
      style={{ maxHeight }}
      tabIndex={0}
      role="group"
      aria-label={label}
      data-partly-hidden={hasReachedEnd && !hasFolds ? undefined : ''}
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
              <Line line={line} context={context} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
