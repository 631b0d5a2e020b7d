/** What a line of a patch is: what it adds, what it takes away, where that belongs, or what stays. */
export type PatchLine = 'added' | 'removed' | 'head' | 'same';

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const HEAD =
  /^(?:diff |index |\+\+\+ |--- |@@|(?:new|deleted) file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) )/;

/**
 * What the lines of a unified diff are. A hunk says how many lines it holds: within it a sign is no more than that, so that
 * a removed `-- comment` is not taken for the name of a file (`--- comment`), and no line is added unseen as one (`+++ x`).
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
      // Some editors take the blank of an empty line away.
      if (sign === ' ' || line === '' || line === '\r') {
        before -= 1;
        after -= 1;
        return 'same';
      }
      if (sign === '\\') return 'same';
    }
    // Without a hunk, or behind one that says less than it holds, the signs are all there is.
    [before, after] = hunk === null ? [0, 0] : [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    if (HEAD.test(line)) return 'head';
    return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same';
  });
}
