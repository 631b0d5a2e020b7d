import { readGitPath, readMergedPath, readPatchPath, readRenamedPath } from './read-patch-path.js';
import { createWordBudget, isOneSided, pairLines, type DiffLine, type WordBudget } from './diff-rows.js';
import { parseMergedHunk } from './parse-merged-hunk.js';

/** The changes of one file in a patch. */
export interface PatchFile {
  /** Path after the change; before it if the file is deleted. Empty for lines that belong to no file. */
  readonly name: string;
  /** Whether the patch contains lines of the file; not, for example, for a renamed or a binary file. */
  readonly hasHunks: boolean;
  readonly lines: readonly DiffLine[];
  /** Whether only one side has lines, as in a new or deleted file or in the merge of a file. */
  readonly isOneSided: boolean;
  readonly added: number;
  readonly removed: number;
}

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The first line of a file: of a change, or of a merge (combined diff). */
const GIT_HEADER = /^diff --(?:git|cc|combined) /;

/**
 * Returns whether a text is a patch: it starts like one (also in a mail or in the output of `git show`), and contains a
 * file header that is followed by a hunk. A document that merely contains a patch is none.
 */
export function isPatch(text: string): boolean {
  return (
    /^\s*(?:diff |--- |Index: |From [0-9a-f]{7,} |commit [0-9a-f]{7,})/.test(text) &&
    /^--- .*\r?\n\+\+\+ .*\r?\n@{2,}(?: -\d+(?:,\d+)?)+ \+\d+(?:,\d+)? @{2,}/m.test(text)
  );
}

/**
 * Parses a unified diff, such as `git diff` or `git format-patch` writes it, or the combined diff of a merge. Each line of the text is part of the
 * result, because approvers must see everything that they approve: lines outside of hunks, such as modes, renames and
 * commit messages, are notes.
 */
export function parsePatch(text: string): readonly PatchFile[] {
  const files: PatchFileDraft[] = [];
  const budget = createWordBudget();
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let file: PatchFileDraft | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const startsFile =
      GIT_HEADER.test(line) ||
      (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true && file?.hasPaths !== false);
    if (file === undefined || startsFile) {
      file = new PatchFileDraft(budget, startsFile && GIT_HEADER.test(line) ? false : undefined);
      files.push(file);
    }
    const header = HUNK_HEADER.exec(line);
    const mergedHunk = header === null ? parseMergedHunk(lines, index) : undefined;
    if (mergedHunk !== undefined) {
      file.addMergedHunk(line, mergedHunk);
      index += mergedHunk.length;
    } else if (header === null) file.addNote(line, lines[index - 1], lines[index + 1]);
    else index = file.addHunk(lines, index, header);
  }
  return files.map((each) => each.build());
}

class PatchFileDraft {
  readonly #lines: DiffLine[] = [];
  #name = '';
  #hasHunks = false;
  #added = 0;
  #removed = 0;
  /** Numbers of the lines after the previous hunk; the start of the file before the first one. */
  #next = { before: 1, after: 1 };

  constructor(
    private readonly budget: WordBudget,
    /** Whether the lines with the paths have been read; `undefined` for a file that starts without a git header. */
    public hasPaths: boolean | undefined,
  ) {}

  addNote(line: string, previous: string | undefined, next: string | undefined): void {
    // Lines after the first hunk cannot name the file: anyone could add them to make it look like another one.
    if (!this.#hasHunks) this.#name = this.#readName(line, previous, next) ?? this.#name;
    if (line.startsWith('+++ ')) this.hasPaths = true;
    this.#lines.push({ note: line });
  }

  #readName(line: string, previous: string | undefined, next: string | undefined): string | undefined {
    if (line.startsWith('diff --git ')) return readGitPath(line);
    if (GIT_HEADER.test(line)) return readMergedPath(line);
    if (line.startsWith('--- ') && next?.startsWith('+++ ') === true) return readPatchPath(line);
    if (line.startsWith('+++ ') && previous?.startsWith('--- ') === true) return readPatchPath(line);
    return this.hasPaths === false ? readRenamedPath(line) : undefined;
  }

  /** @returns the index of the last line of the hunk */
  addHunk(lines: readonly string[], start: number, header: RegExpExecArray): number {
    this.hasPaths = true;
    const isFirst = !this.#hasHunks;
    this.#hasHunks = true;
    let [beforeLine, afterLine] = [Number(header[1]), Number(header[3])];
    let [beforeLeft, afterLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
    const omitted = this.#countOmitted(
      // The header of a side without lines names the line before it.
      beforeLeft === 0 ? beforeLine + 1 : beforeLine,
      afterLeft === 0 ? afterLine + 1 : afterLine,
    );
    if (omitted > 0) this.#lines.push({ omitted, isAtStart: isFirst });
    this.#lines.push({ note: lines[start] ?? '' });
    const [beforeCount, afterCount] = [beforeLeft, afterLeft];
    const removed: string[] = [];
    const added: string[] = [];
    const flush = (): void => {
      for (const row of pairLines(removed, added, beforeLine, afterLine, this.budget)) this.#lines.push({ row });
      [beforeLine, afterLine] = [beforeLine + removed.length, afterLine + added.length];
      [this.#removed, this.#added] = [this.#removed + removed.length, this.#added + added.length];
      removed.length = 0;
      added.length = 0;
    };
    let index = start + 1;
    for (; index < lines.length; index += 1) {
      const line = lines[index] ?? '';
      const sign = line.charAt(0);
      if (sign === '\\') {
        flush();
        this.#lines.push({ note: line });
      } else if (sign === '-' && beforeLeft > 0) {
        // A removal after an addition starts the next change.
        if (added.length > 0) flush();
        removed.push(line.slice(1));
        beforeLeft -= 1;
      } else if (sign === '+' && afterLeft > 0) {
        added.push(line.slice(1));
        afterLeft -= 1;
      } else if ((sign === ' ' || line === '' || line === '\r') && beforeLeft > 0 && afterLeft > 0) {
        flush();
        const parts = [{ text: line.slice(1), changed: false }];
        this.#lines.push({
          row: { before: { line: beforeLine++, parts }, after: { line: afterLine++, parts }, same: true },
        });
        beforeLeft -= 1;
        afterLeft -= 1;
      } else break;
    }
    flush();
    this.#next = {
      before: beforeCount === 0 ? beforeLine + 1 : beforeLine,
      after: afterCount === 0 ? afterLine + 1 : afterLine,
    };
    return index - 1;
  }

  /** Returns the number of lines between the previous hunk and the next; 0 if both sides disagree about it. */
  #countOmitted(before: number, after: number): number {
    const omitted = before - this.#next.before;
    return omitted === after - this.#next.after && Number.isSafeInteger(omitted) ? omitted : 0;
  }

  addMergedHunk(header: string, lines: readonly DiffLine[]): void {
    this.hasPaths = true;
    this.#hasHunks = true;
    this.#lines.push({ note: header }, ...lines);
    for (const line of lines) {
      if (!('merged' in line)) continue;
      if (line.merged.kind === 'added') this.#added += 1;
      if (line.merged.kind === 'removed') this.#removed += 1;
    }
  }

  build(): PatchFile {
    return {
      name: this.#name,
      hasHunks: this.#hasHunks,
      lines: this.#lines,
      isOneSided: isOneSided(this.#lines.flatMap((line) => ('row' in line ? [line.row] : []))),
      added: this.#added,
      removed: this.#removed,
    };
  }
}
