import { Alert, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { DiffLines, DiffViewSwitch, useDiffView } from './diff-lines.js';
import { diffTexts, foldUnchanged, isOneSided, MAX_DIFF_LINES } from './diff-rows.js';
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
  /** Maximum height in px; taller content scrolls. Default: only long differences scroll. */
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
  maxHeight,
}: TextDiffProps) {
  const [view, setView] = useDiffView();
  const [expandedFolds, setExpandedFolds] = useState<ReadonlySet<number>>(new Set());
  const diff = useMemo(() => diffTexts(before, after), [before, after]);
  const lines = useMemo(() => foldUnchanged(diff.rows, expandedFolds), [diff, expandedFolds]);
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
        <DiffViewSwitch view={view} onChange={setView} />
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
        view={shownView}
        label={label}
        maxHeight={maxHeight}
        onUnfold={(from) => setExpandedFolds(new Set(expandedFolds).add(from))}
      />
    </div>
  );
}
