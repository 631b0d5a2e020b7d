import type { DiffLine, MergedLine } from './diff-rows.js';

const HEADER = /^(@{3,}) (-\d+(?:,\d+)?(?: -\d+(?:,\d+)?)+) \+(\d+)(?:,(\d+))? (@{3,})/;

/**
 * Parses a hunk of the combined diff of a merge (git diff, "combined diff format"). Its header has one `@` more than
 * the merge has parents, and each of its lines starts with a sign for each parent.
 *
 * @param start index of the header
 * @returns the lines after the header that belong to the hunk; `undefined` if there is no such header
 */
export function parseMergedHunk(lines: readonly string[], start: number): readonly DiffLine[] | undefined {
  const header = HEADER.exec(lines[start] ?? '');
  if (header === null) return undefined;
  const ranges = (header[2] ?? '').split(' ');
  const parentCount = ranges.length;
  if (header[1]?.length !== parentCount + 1 || header[5] !== header[1]) return undefined;
  const linesLeft = ranges.map((range) => Number(range.split(',')[1] ?? 1));
  let nextLine = Number(header[3]);
  let mergedLeft = Number(header[4] ?? 1);
  const hunk: DiffLine[] = [];
  for (let index = start + 1; index < lines.length; index += 1) {
    const text = lines[index] ?? '';
    if (text.startsWith('\\')) {
      hunk.push({ note: text });
      continue;
    }
    const signs = /^\r?$/.test(text) ? ' '.repeat(parentCount) : text.slice(0, parentCount);
    const kind = readKind(signs, parentCount);
    if (kind === undefined) break;
    const isMerged = kind !== 'removed';
    // A removed line is in the parents with a `-`, and another line in those without a sign.
    const isInParent = (parent: number): boolean => signs[parent] === (isMerged ? ' ' : '-');
    if ((isMerged && mergedLeft === 0) || linesLeft.some((left, parent) => isInParent(parent) && left === 0)) break;
    for (const parent of linesLeft.keys()) if (isInParent(parent)) linesLeft[parent] = (linesLeft[parent] ?? 0) - 1;
    if (isMerged) mergedLeft -= 1;
    hunk.push({
      merged: { kind, signs, text: text.slice(parentCount), line: isMerged ? nextLine++ : undefined },
    });
  }
  return hunk;
}

function readKind(signs: string, parentCount: number): MergedLine['kind'] | undefined {
  if (signs.length !== parentCount) return undefined;
  if (/^ *$/.test(signs)) return 'same';
  if (/^[ +]*$/.test(signs)) return 'added';
  return /^[ -]*$/.test(signs) ? 'removed' : undefined;
}
