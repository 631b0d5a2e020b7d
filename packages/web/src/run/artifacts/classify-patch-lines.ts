/** Kind of a patch line: an added, removed, header or unchanged line. */
export type PatchLineKind = 'added' | 'removed' | 'head' | 'same';

const HUNK_HEADER = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEADER_LINE =
  /^(?:diff |index |\+\+\+ |--- |@@|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) )/;

/**
 * Classifies the lines of a unified diff. A hunk header states its number of lines. Within a hunk a sign is only a
 * sign, so a removed `-- comment` is not taken for a file name (`--- comment`), nor an added line for one (`+++ x`).
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
    // Without a hunk, or after one that states too few lines, only the signs are available.
    [oldLinesLeft, newLinesLeft] = hunk === null ? [0, 0] : [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    if (HEADER_LINE.test(line)) return 'head';
    return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same';
  });
}
