/** Kind of a patch line: an added, removed, header or unchanged line. */
export type PatchLine = 'added' | 'removed' | 'head' | 'same';

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEAD =
  /^(?:diff |index |\+\+\+ |--- |@@|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) )/;

/**
 * Classifies the lines of a unified diff. A hunk header states its number of lines. Within a hunk a sign is only a
 * sign, so a removed `-- comment` is not taken for a file name (`--- comment`), nor an added line for one (`+++ x`).
 */
export function patchLines(lines: readonly string[]): readonly PatchLine[] {
  let [before, after] = [0, 0];
  return lines.map((line) => {
    const hunk = HUNK.exec(line);
    const sign = line.charAt(0);
    if (before > 0 || after > 0) {
      if (sign === '+' && after > 0) {
        after -= 1;
        return 'added';
      }
      if (sign === '-' && before > 0) {
        before -= 1;
        return 'removed';
      }
      // Some editors strip the space of an empty line.
      if (sign === ' ' || line === '' || line === '\r') {
        before -= 1;
        after -= 1;
        return 'same';
      }
      if (sign === '\\') return 'same';
    }
    // Without a hunk, or after one that states too few lines, only the signs are available.
    [before, after] = hunk === null ? [0, 0] : [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    if (HEAD.test(line)) return 'head';
    return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same';
  });
}
