import type { DiffLine, DiffSide, MergedLine } from '../diff-rows.js';
import type { TextLine } from './color-texts.js';

/** Returns the consecutive lines of each side: of the whole texts, or of each hunk of a patch. */
export function collectTexts(lines: readonly DiffLine[]): readonly (readonly TextLine[])[] {
  const texts: TextLine[][] = [];
  let [before, after]: [TextLine[], TextLine[]] = [[], []];
  const startHunk = (): void => {
    [before, after] = [[], []];
    texts.push(before, after);
  };
  startHunk();
  for (const line of lines) {
    if ('note' in line && line.note.startsWith('@@')) startHunk();
    else if ('row' in line) {
      if (line.row.before !== undefined) before.push(toTextLine(line.row.before));
      if (line.row.after !== undefined) after.push(toTextLine(line.row.after));
    } else if ('merged' in line) {
      const textLine = toMergedTextLine(line.merged);
      if (line.merged.kind !== 'added') before.push(textLine);
      if (line.merged.kind !== 'removed') after.push(textLine);
    }
  }
  return texts.filter((text) => text.length > 0);
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
