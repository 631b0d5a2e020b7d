import { diffLines, diffWordsWithSpace } from 'diff';

/** Part of a line; `changed` if it differs from the line on the other side. */
export interface DiffPart {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffSide {
  /** Line number, from 1. */
  readonly line: number;
  readonly parts: readonly DiffPart[];
}

/** Row of the comparison: equal on both sides, on one side only, or different on both. */
export interface DiffRow {
  readonly before: DiffSide | undefined;
  readonly after: DiffSide | undefined;
  readonly same: boolean;
}

export interface DiffRows {
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
  /** Whether lines beyond the limit were left out. */
  readonly cut: boolean;
  /** Whether the texts differ so much that lines were not matched. */
  readonly tooDifferent: boolean;
}

/** Maximum number of compared lines of each text. */
export const MAX_DIFF_LINES = 20_000;
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_LINE_LENGTH = 2_000;
const MAX_EDITS = 4_000;
const TIMEOUT_MS = 400;

/** Remaining number of characters whose words are compared, which bounds the time for any text. */
export interface WordBudget {
  characters: number;
}

export function createWordBudget(): WordBudget {
  return { characters: 300_000 };
}

/** Compares two texts line by line, and changed lines word by word; time and size are bounded for any input. */
export function diffTexts(before: string, after: string): DiffRows {
  const [left, right] = [truncate(before), truncate(after)];
  const changes = diffLines(left.text, right.text, { timeout: TIMEOUT_MS, maxEditLength: MAX_EDITS });
  const rows: DiffRow[] = [];
  const budget = changes === undefined ? { characters: 0 } : createWordBudget();
  let [added, removed, beforeLine, afterLine] = [0, 0, 1, 1];
  const blocks = changes ?? [
    { value: left.text, added: false, removed: true },
    { value: right.text, added: true, removed: false },
  ];
  for (let i = 0; i < blocks.length; i += 1) {
    const block = blocks[i];
    if (block === undefined) continue;
    const lines = splitLines(block.value);
    if (!block.added && !block.removed) {
      for (const text of lines) {
        const parts = [{ text, changed: false }];
        rows.push({ before: { line: beforeLine++, parts }, after: { line: afterLine++, parts }, same: true });
      }
      continue;
    }
    const next = blocks[i + 1];
    const isReplacement = block.removed && next?.added === true;
    const removedLines = block.removed ? lines : [];
    const addedLines = isReplacement ? splitLines(next.value) : block.added ? lines : [];
    if (isReplacement) i += 1;
    removed += removedLines.length;
    added += addedLines.length;
    rows.push(...pairLines(removedLines, addedLines, beforeLine, afterLine, budget));
    beforeLine += removedLines.length;
    afterLine += addedLines.length;
  }
  return { rows, added, removed, cut: left.cut || right.cut, tooDifferent: changes === undefined };
}

/**
 * Pairs the removed lines of a change with the added lines, and compares the words of each pair.
 *
 * @param beforeLine number of the first removed line
 * @param afterLine number of the first added line
 * @param budget number of characters whose words may still be compared; shared by the changes of a text
 */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
  beforeLine: number,
  afterLine: number,
  budget: WordBudget,
): DiffRow[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => {
    const [one, other] = compareLines(removed[index], added[index], budget);
    return {
      before: one && { line: beforeLine + index, parts: one },
      after: other && { line: afterLine + index, parts: other },
      same: false,
    };
  });
}

function compareLines(
  one: string | undefined,
  other: string | undefined,
  budget: WordBudget,
): readonly [DiffPart[] | undefined, DiffPart[] | undefined] {
  const unchangedParts = (text: string | undefined): DiffPart[] | undefined =>
    text === undefined ? undefined : [{ text, changed: false }];
  if (
    one === undefined ||
    other === undefined ||
    one.length > MAX_LINE_LENGTH ||
    other.length > MAX_LINE_LENGTH ||
    one.length + other.length > budget.characters
  )
    return [unchangedParts(one), unchangedParts(other)];
  budget.characters -= one.length + other.length;
  const parts = diffWordsWithSpace(one, other, { maxEditLength: 200 });
  const equalLength =
    parts?.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length), 0) ?? 0;
  // If hardly anything is equal, highlighting every word is less helpful than highlighting none.
  if (parts === undefined || equalLength * 5 < Math.max(one.length, other.length))
    return [unchangedParts(one), unchangedParts(other)];
  const buildSideParts = (excluded: 'added' | 'removed', highlighted: 'added' | 'removed'): DiffPart[] =>
    parts.filter((part) => !part[excluded]).map((part) => ({ text: part.value, changed: part[highlighted] === true }));
  return [buildSideParts('added', 'removed'), buildSideParts('removed', 'added')];
}

function truncate(text: string): { readonly text: string; readonly cut: boolean } {
  let end = 0;
  for (let lines = 0; lines < MAX_DIFF_LINES; lines += 1) {
    const next = text.indexOf('\n', end);
    if (next === -1 || next >= MAX_TEXT_LENGTH)
      return { text: text.slice(0, MAX_TEXT_LENGTH), cut: text.length > MAX_TEXT_LENGTH };
    end = next + 1;
  }
  return { text: text.slice(0, end), cut: end < text.length };
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A line of a difference between a merged file and its version in each parent (combined diff of git). */
export interface MergedLine {
  readonly kind: 'same' | 'added' | 'removed';
  /** A sign for each parent: `+` for a line that it lacks, `-` for a line that only it has. */
  readonly signs: string;
  readonly text: string;
  /** Number of the line in the merged file, from 1; `undefined` for a removed line. */
  readonly line: number | undefined;
}

/** Returns the text of a line, without a Windows line ending. */
export function getLineText({ parts }: DiffSide): string {
  return parts
    .map(({ text }) => text)
    .join('')
    .replace(/\r$/, '');
}

/** Returns the text of a line by its number; `undefined` if there is no such line. */
export function findLineText(
  lines: readonly DiffLine[],
  side: 'before' | 'after',
  lineNumber: number,
): string | undefined {
  for (const line of lines) {
    const found = 'row' in line ? line.row[side] : undefined;
    if (found?.line === lineNumber) return getLineText(found);
  }
  return undefined;
}

/** A folded block of equal rows. */
export interface DiffFold {
  /** Index of the first row of the block, including the rows that the user has unfolded. Identifies the block. */
  readonly block: number;
  /** Index of the first folded row. */
  readonly from: number;
  /** Index after the last folded row. */
  readonly to: number;
  /** Whether there are rows before and after the block, whose context the user can extend. */
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
}

/**
 * A row, in comparisons of whole texts with its index; a folded block of equal rows; a line of a merged file; a line of
 * a patch that is not a line of a file, such as the header of a hunk; or the number of lines that a patch leaves out
 * before a hunk.
 */
export type DiffLine =
  | { readonly row: DiffRow; readonly index?: number }
  | { readonly fold: DiffFold }
  | { readonly merged: MergedLine }
  | { readonly note: string }
  | { readonly omitted: number; readonly isAtStart: boolean };

/**
 * Returns whether only one side has lines, as in a new or deleted file. Side by side, one half of it would be empty.
 */
export function isOneSided(rows: readonly DiffRow[]): boolean {
  return rows.every(({ before }) => before === undefined) || rows.every(({ after }) => after === undefined);
}

const CONTEXT_LINES = 3;

/** Number of rows of a folded block that are unfolded at its start and at its end. */
export interface Unfolded {
  readonly start: number;
  readonly end: number;
}

/**
 * Folds blocks of equal rows, except for a few lines around each change.
 *
 * @param unfolded what the user has unfolded, by `DiffFold.block`
 */
export function foldUnchanged(rows: readonly DiffRow[], unfolded: ReadonlyMap<number, Unfolded>): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  for (let start = 0; start < rows.length;) {
    let end = start;
    while (end < rows.length && rows[end]?.same === rows[start]?.same) end += 1;
    const [hasBefore, hasAfter] = [start > 0, end < rows.length];
    const block = hasBefore ? start + CONTEXT_LINES : start;
    const blockEnd = hasAfter ? end - CONTEXT_LINES : end;
    const { start: unfoldedAtStart, end: unfoldedAtEnd } = unfolded.get(block) ?? { start: 0, end: 0 };
    const [from, to] = [block + unfoldedAtStart, blockEnd - unfoldedAtEnd];
    const canFold = rows[start]?.same === true && blockEnd - block > 1 && to > from;
    for (let index = start; index < end; index += 1) {
      if (canFold && index === from) {
        lines.push({ fold: { block, from, to, hasBefore, hasAfter } });
        index = to - 1;
        continue;
      }
      const row = rows[index];
      if (row !== undefined) lines.push({ row, index });
    }
    start = end;
  }
  return lines;
}
