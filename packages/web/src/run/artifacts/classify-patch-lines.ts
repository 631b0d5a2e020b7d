/** Kind of a patch line: an added, removed, header or unchanged line. */
export type PatchLineKind = 'added' | 'removed' | 'head' | 'same';

const HUNK_HEADER = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEADER_LINE =
  /^(?:diff |index |\+\+\+ |--- |@@|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) )/;

/**
 * Classifies the lines of a unified diff. The header of a hunk states its number of lines. Within a hunk, the first
 * character of a line is always a sign, so the removed line `-- comment` is not mistaken for a file header (`---
 * comment`), nor the added line `++ x` for `+++ x`.
 */
export function classifyPatchLines(lines: readonly string[]): readonly PatchLineKind[] {
  let [oldLinesLeft, newLinesLeft] = [0, 0];
  return lines.map((line) => {
    const hunk = HUNK_HEADER.exec(line);
    const sign = line.charAt(0);
    if (oldLinesLeft > 0 || newLinesLeft > 0) {
      if (sign === '+' && newLinesLeft > 0) {
        newLinesLeft -= 1;
        return 'added';
      }
      if (sign === '-' && oldLinesLeft > 0) {
        oldLinesLeft -= 1;
        return 'removed';
      }
      // Some editors strip the space of an empty line.
      if (sign === ' ' || line === '' || line === '\r') {
        oldLinesLeft -= 1;
        newLinesLeft -= 1;
        return 'same';
      }
      if (sign === '\\') return 'same';
    }
    // Outside a hunk, or if the header of the hunk states too few lines, only the start of the line identifies its
    // kind.
    [oldLinesLeft, newLinesLeft] = hunk === null ? [0, 0] : [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    if (HEADER_LINE.test(line)) return 'head';
    return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same';
  });
}
