import type { DiffLine, DiffSide, MergedLine } from '../diff-rows.js';
import type { SourceText, TextLine } from './color-texts.js';

interface TextDraft {
  readonly lines: TextLine[];
  isFromStart: boolean;
}

/** Returns the consecutive lines of each side: of the whole texts, or of each hunk of a patch. */
export function collectTexts(lines: readonly DiffLine[]): readonly SourceText[] {
  const texts: TextDraft[] = [];
  let [before, after] = [createDraft(), createDraft()];
  const startHunk = (): void => {
    [before, after] = [createDraft(), createDraft()];
    texts.push(before, after);
  };
  startHunk();
  for (const line of lines) {
    if ('note' in line && line.note.startsWith('@@')) startHunk();
    else if ('row' in line) {
      addSide(before, line.row.before);
      addSide(after, line.row.after);
    } else if ('merged' in line) {
      const textLine = toMergedTextLine(line.merged);
      // Lines of the parents have no numbers. Where the merged file starts, its parents start as well.
      if (line.merged.line === 1) before.isFromStart = after.isFromStart = true;
      if (line.merged.kind !== 'added') before.lines.push(textLine);
      if (line.merged.kind !== 'removed') after.lines.push(textLine);
    }
  }
  return texts.filter((text) => text.lines.length > 0);
}

function createDraft(): TextDraft {
  return { lines: [], isFromStart: false };
}

function addSide(draft: TextDraft, side: DiffSide | undefined): void {
  if (side === undefined) return;
  if (side.line === 1) draft.isFromStart = true;
  draft.lines.push(toTextLine(side));
}

function toTextLine(side: DiffSide): TextLine {
  return {
    key: side,
    text: side.parts
      .map(({ text }) => text)
      .join('')
      .replace(/\r$/, ''),
  };
}

function toMergedTextLine(line: MergedLine): TextLine {
  return { key: line, text: line.text.replace(/\r$/, '') };
}
