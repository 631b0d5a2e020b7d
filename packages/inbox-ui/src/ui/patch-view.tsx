import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useContext, useId, useState } from 'react';
import { texts } from '../texts/index.js';
import { DiffLines, DiffViewSwitch, MAX_UNSCROLLED_LINES, useDiffView, type DiffViewKind } from './diff-lines.js';
import { escapeInvisible } from './escape-invisible.js';
import { findLineText } from './diff-rows.js';
import { LineNotesContext } from './line-notes.js';
import type { PatchFile } from './parse-patch.js';
import { ColorBudgetProvider } from './syntax/color-budget-provider.js';
import './text-diff.css';

const t = texts.ui.diff;

/** Number of lines that are displayed at first, and with each further step. */
const LINES_PER_STEP = 2_000;
/** Number of files in the list of files. */
const MAX_LISTED_FILES = 100;

/** Returns whether a patch is displayed as a whole at once: nothing is displayed on request, and nothing scrolls inside. */
export function isDisplayedWhole(files: readonly PatchFile[]): boolean {
  return countShownFiles(files, 1) === files.length && files.every(({ lines }) => lines.length <= MAX_UNSCROLLED_LINES);
}

/** Returns the number of files that are displayed after a number of steps: at least one more with each step. */
function countShownFiles(files: readonly PatchFile[], steps: number): number {
  let lineCount = 0;
  const end = files.findIndex(({ lines }, index) => {
    lineCount += lines.length;
    return index >= steps && lineCount > steps * LINES_PER_STEP;
  });
  return end === -1 ? files.length : end;
}

interface PatchViewProps {
  /** Parsed by the caller, because parsing a large patch takes time. */
  readonly files: readonly PatchFile[];
  /** Label for screen readers. */
  readonly label: string;
}

/**
 * A patch: the list of its files, and the changes of each file, side by side or in one column. Every line of the patch
 * is displayed; the rest of a long patch is displayed on request.
 */
export function PatchView({ files, label }: PatchViewProps) {
  const [view, setView] = useDiffView();
  const [steps, setSteps] = useState(1);
  const idPrefix = useId();
  const shownCount = countShownFiles(files, steps);
  const namedFiles = files.flatMap((file, index) => (file.name === '' ? [] : [{ file, index }]));
  const focusFile = (index: number): void => {
    if (index >= shownCount) {
      let next = steps;
      while (countShownFiles(files, next) <= index) next += 1;
      setSteps(next);
    }
    // The file may have to be rendered first.
    requestAnimationFrame(() => document.getElementById(`${idPrefix}${index}`)?.focus());
  };
  return (
    <section aria-label={label}>
      <Group justify="space-between" py={6} gap="xs">
        <Text size="sm">
          {t.files(namedFiles.length)}, {t.summary(sum(files, 'added'), sum(files, 'removed'))}
        </Text>
        <DiffViewSwitch view={view} onChange={setView} />
      </Group>
      {namedFiles.length > 1 && (
        <ul className="cs-patch-files" aria-label={t.fileList}>
          {namedFiles.slice(0, MAX_LISTED_FILES).map(({ file, index }) => (
            <li key={index}>
              <Button variant="transparent" size="compact-sm" onClick={() => focusFile(index)}>
                {escapeInvisible(file.name)}
              </Button>{' '}
              <FileCounts file={file} />
            </li>
          ))}
          {namedFiles.length > MAX_LISTED_FILES && <li>{t.moreFiles(namedFiles.length - MAX_LISTED_FILES)}</li>}
        </ul>
      )}
      <ColorBudgetProvider>
        {files.slice(0, shownCount).map((file, index) => (
          <PatchFileView key={index} id={`${idPrefix}${index}`} file={file} view={view} />
        ))}
      </ColorBudgetProvider>
      {files.length > shownCount && (
        <Button size="compact-sm" variant="default" mt={6} data-partly-hidden="" onClick={() => setSteps(steps + 1)}>
          {t.showMoreFiles(files.length - shownCount)}
        </Button>
      )}
    </section>
  );
}

function PatchFileView({
  id,
  file,
  view,
}: {
  readonly id: string;
  readonly file: PatchFile;
  readonly view: DiffViewKind;
}) {
  const shownView = file.isOneSided ? 'unified' : view;
  const label = file.name === '' ? t.notes : escapeInvisible(file.name);
  const [isFolded, setFolded] = useState(false);
  const bodyId = useId();
  const notes = useContext(LineNotesContext);
  const Chevron = isFolded ? IconChevronRight : IconChevronDown;
  return (
    <div id={id} tabIndex={-1} role="group" aria-label={label} className="cs-diff cs-patch-file" data-view={shownView}>
      <Group justify="space-between" px="sm" py={6} gap="xs" className="cs-diff-head">
        <Group gap={6} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={isFolded ? t.unfoldFile(label) : t.foldFile(label)}
            aria-expanded={!isFolded}
            aria-controls={isFolded ? undefined : bodyId}
            onClick={() => setFolded(!isFolded)}
          >
            <Chevron size={16} aria-hidden />
          </ActionIcon>
          <Text size="sm" ff="monospace" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {label}
          </Text>
        </Group>
        <Group gap="xs">
          {file.name !== '' &&
            !isFolded &&
            hasNumberedSides(file) &&
            notes?.renderControl(file.name, (side, line) => findLineText(file.lines, side, line))}
          <FileCounts file={file} />
        </Group>
      </Group>
      {isFolded ? (
        // What is folded does not count as seen.
        <div className="cs-diff-omitted" data-partly-hidden="" data-folded="">
          {t.foldedFile(file.lines.length)}
        </div>
      ) : (
        <div id={bodyId}>
          <DiffLines
            lines={file.lines}
            view={shownView}
            path={file.name === '' ? undefined : file.name}
            label={label}
          />
        </div>
      )}
    </div>
  );
}

/**
 * Returns whether lines of the file are named by a side and a number. Not in a merge, whose lines have a side for each
 * parent, and not if the patch contains no lines of the file.
 */
function hasNumberedSides({ lines }: PatchFile): boolean {
  return lines.some((line) => 'row' in line);
}

/** The numbers of changed lines, if the patch contains lines of the file. */
function FileCounts({ file: { hasHunks, added, removed } }: { readonly file: PatchFile }) {
  return (
    hasHunks && (
      <Text component="span" size="xs" c="dimmed">
        {t.counts(added, removed)}
      </Text>
    )
  );
}

function sum(files: readonly PatchFile[], member: 'added' | 'removed'): number {
  return files.reduce((total, file) => total + file[member], 0);
}
