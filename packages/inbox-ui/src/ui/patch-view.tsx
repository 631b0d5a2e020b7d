import { Button, Group, Text } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { texts } from '../texts/index.js';
import { DiffLines, DiffViewSwitch, MAX_UNSCROLLED_LINES, useDiffView, type DiffViewKind } from './diff-lines.js';
import { escapeInvisible } from './escape-invisible.js';
import { parsePatch, type PatchFile } from './parse-patch.js';
import './text-diff.css';

const t = texts.ui.diff;

/** Number of files that are displayed at first. */
const FIRST_FILES = 20;

/** Returns whether a patch is displayed as a whole at once: nothing is displayed on request, and nothing scrolls inside. */
export function isDisplayedWhole(files: readonly PatchFile[]): boolean {
  return files.length <= FIRST_FILES && files.every(({ lines }) => lines.length <= MAX_UNSCROLLED_LINES);
}

interface PatchViewProps {
  readonly patch: string;
  /** Label for screen readers. */
  readonly label: string;
}

/**
 * A patch: the list of its files, and the changes of each file, side by side or in one column. Every line of the patch
 * is displayed; files beyond the first ones are displayed on request.
 */
export function PatchView({ patch, label }: PatchViewProps) {
  const files = useMemo(() => parsePatch(patch), [patch]);
  const [view, setView] = useDiffView();
  const [showsAll, setShowsAll] = useState(false);
  const idPrefix = useId();
  const shownFiles = showsAll ? files : files.slice(0, FIRST_FILES);
  const changedFiles = files.filter(({ name }) => name !== '');
  return (
    <section aria-label={label}>
      <Group justify="space-between" py={6} gap="xs">
        <Text size="sm">
          {t.files(changedFiles.length)}, {t.summary(sum(files, 'added'), sum(files, 'removed'))}
        </Text>
        <DiffViewSwitch view={view} onChange={setView} />
      </Group>
      {changedFiles.length > 1 && (
        <ul className="cs-patch-files" aria-label={t.fileList}>
          {files.map(
            (file, index) =>
              file.name !== '' && (
                <li key={index}>
                  <Button
                    variant="transparent"
                    size="compact-sm"
                    onClick={() => {
                      setShowsAll(showsAll || index >= FIRST_FILES);
                      // The file may have to be rendered first.
                      requestAnimationFrame(() => document.getElementById(`${idPrefix}${index}`)?.focus());
                    }}
                  >
                    {escapeInvisible(file.name)}
                  </Button>{' '}
                  <Text component="span" size="xs" c="dimmed">
                    {t.counts(file.added, file.removed)}
                  </Text>
                </li>
              ),
          )}
        </ul>
      )}
      {shownFiles.map((file, index) => (
        <PatchFileView key={index} id={`${idPrefix}${index}`} file={file} view={view} />
      ))}
      {files.length > shownFiles.length && (
        <Button size="compact-sm" variant="default" mt={6} data-partly-hidden="" onClick={() => setShowsAll(true)}>
          {t.allFiles(files.length)}
        </Button>
      )}
    </section>
  );
}

function PatchFileView({
  id,
  file: { name, lines, added, removed },
  view,
}: {
  readonly id: string;
  readonly file: PatchFile;
  readonly view: DiffViewKind;
}) {
  const label = name === '' ? t.notes : escapeInvisible(name);
  return (
    <div id={id} tabIndex={-1} role="group" aria-label={label} className="cs-diff cs-patch-file" data-view={view}>
      <Group justify="space-between" px="sm" py={6} gap="xs" className="cs-diff-head">
        <Text size="sm" ff="monospace" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {label}
        </Text>
        {name !== '' && (
          <Text size="xs" c="dimmed">
            {t.counts(added, removed)}
          </Text>
        )}
      </Group>
      <DiffLines lines={lines} view={view} label={label} />
    </div>
  );
}

function sum(files: readonly PatchFile[], member: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + file[member], 0);
}
