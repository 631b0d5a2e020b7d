import { Alert, Group, SegmentedControl, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useMemo, useRef, useState } from 'react';
import { texts } from '../texts/index.js';
import { diffTexts, foldUnchanged, MAX_DIFF_LINES, type DiffRow, type DiffSide } from './diff-rows.js';
import { escapeInvisible } from './escape-invisible.js';
import './text-diff.css';

const t = texts.ui.diff;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  /** Label for screen readers. */
  readonly label: string;
  readonly beforeLabel?: string;
  readonly afterLabel?: string;
  /** Whether the texts are only the beginnings of longer texts. */
  readonly isTruncated?: boolean;
  /** Maximum height in px; taller content scrolls. */
  readonly maxHeight?: number;
}

/** Two texts side by side or in one column, with differences marked by sign, underline or strikethrough, and colour. */
export function TextDiff({
  before,
  after,
  label,
  beforeLabel = t.before,
  afterLabel = t.after,
  isTruncated = false,
  maxHeight = 480,
}: TextDiffProps) {
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const [chosenView, setChosenView] = useState<'split' | 'unified'>();
  const [expandedFolds, setExpandedFolds] = useState<ReadonlySet<number>>(new Set());
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  const lines = useMemo(() => foldUnchanged(diff.rows, expandedFolds), [diff, expandedFolds]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 22,
    overscan: 12,
  });
  const view = chosenView ?? (isWide === true ? 'split' : 'unified');
  const isCut = diff.cut || isTruncated;
  if (diff.added === 0 && diff.removed === 0)
    return isCut ? <Alert color="yellow">{t.sameSoFar}</Alert> : <Text c="dimmed">{t.same}</Text>;
  return (
    <div className="cs-diff" data-view={view}>
      <Group justify="space-between" px="sm" py={6} gap="xs">
        <Text size="sm">{t.summary(diff.added, diff.removed)}</Text>
        <SegmentedControl
          size="xs"
          aria-label={t.view}
          value={view}
          onChange={(value) => setChosenView(value === 'split' ? 'split' : 'unified')}
          data={[
            { value: 'split', label: t.split },
            { value: 'unified', label: t.unified },
          ]}
        />
      </Group>
      {isCut && <Alert color="yellow">{diff.cut ? t.cut(MAX_DIFF_LINES) : t.beginnings}</Alert>}
      {diff.tooDifferent && <Alert color="yellow">{t.tooDifferent}</Alert>}
      <div className="cs-diff-heads" aria-hidden>
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </div>
      <div className="cs-diff-scroll" ref={scroller} style={{ maxHeight }} tabIndex={0} role="group" aria-label={label}>
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
                {'row' in line ? (
                  <Row row={line.row} split={view === 'split'} />
                ) : (
                  <UnstyledButton
                    className="cs-diff-fold"
                    onClick={() => setExpandedFolds(new Set(expandedFolds).add(line.from))}
                  >
                    {t.unchanged(line.to - line.from)}
                  </UnstyledButton>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
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
