import { Alert, Group, Text } from '@mantine/core';
import { useContext, useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { DiffLines, DiffViewSwitch, useDiffView } from './diff-lines.js';
import {
  diffTexts,
  findLineText,
  foldUnchanged,
  isOneSided,
  MAX_DIFF_LINES,
  type DiffFold,
  type Unfolded,
} from './diff-rows.js';
import { LineNotesContext } from './line-notes.js';
import './text-diff.css';

const t = texts.ui.diff;

interface TextDiffProps {
  readonly before: string;
  readonly after: string;
  /** Label for screen readers. */
  readonly label: string;
  /** Path of the compared file, whose extension determines the colours. */
  readonly path?: string;
  readonly beforeLabel?: string;
  readonly afterLabel?: string;
  /** Whether the texts are only the beginnings of longer texts. */
  readonly isTruncated?: boolean;
  /** Maximum height in px; taller content scrolls. Default: only long differences scroll. */
  readonly maxHeight?: number;
}

/** Two texts side by side or in one column, with differences marked by sign, underline or strikethrough, and colour. */
export function TextDiff({
  before,
  after,
  label,
  path,
  beforeLabel = t.before,
  afterLabel = t.after,
  isTruncated = false,
  maxHeight,
}: TextDiffProps) {
  const [view, setView] = useDiffView();
  const notes = useContext(LineNotesContext);
  const [unfolded, setUnfolded] = useState<ReadonlyMap<number, Unfolded>>(new Map());
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  const allLines = useMemo(() => diff.rows.map((row) => ({ row })), [diff]);
  const lines = useMemo(() => foldUnchanged(diff.rows, unfolded), [diff, unfolded]);
  const unfold = ({ block }: DiffFold, at: 'start' | 'end', count: number): void => {
    const previous = unfolded.get(block) ?? { start: 0, end: 0 };
    setUnfolded(new Map(unfolded).set(block, { ...previous, [at]: previous[at] + count }));
  };
  const shownView = isOneSided(diff.rows) ? 'unified' : view;
  const isCut = diff.cut || isTruncated;
  if (diff.added === 0 && diff.removed === 0)
    return isCut ? (
      <Alert color="yellow" data-partly-hidden="">
        {t.sameSoFar}
      </Alert>
    ) : (
      <Text c="dimmed">{t.same}</Text>
    );
  return (
    <div className="cs-diff" data-view={shownView}>
      <Group justify="space-between" px="sm" py={6} gap="xs">
        <Text size="sm">{t.summary(diff.added, diff.removed)}</Text>
        <Group gap="xs">
          {notes?.renderControl(path, (side, line) => findLineText(allLines, side, line))}
          <DiffViewSwitch view={view} onChange={setView} />
        </Group>
      </Group>
      {isCut && (
        <Alert color="yellow" data-partly-hidden="">
          {diff.cut ? t.cut(MAX_DIFF_LINES) : t.beginnings}
        </Alert>
      )}
      {diff.tooDifferent && <Alert color="yellow">{t.tooDifferent}</Alert>}
      <div className="cs-diff-heads" aria-hidden>
        <span>{beforeLabel}</span>
        <span>{afterLabel}</span>
      </div>
      <DiffLines
        lines={lines}
        allLines={allLines}
        view={shownView}
        path={path}
        label={label}
        maxHeight={maxHeight}
        onUnfold={unfold}
      />
    </div>
  );
}
