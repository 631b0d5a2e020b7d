import { UNLIMITED_SHARE, type ColorShare } from './color-budget.js';
import type { Language } from './find-language.js';
import type { LineParser } from './load-parser.js';
import { LineReader, type Token } from './parse-lines.js';

/** A line, and the object that stands for it in the view. */
export interface TextLine {
  readonly key: object;
  readonly text: string;
}

/** Consecutive lines of a file. */
export interface SourceText {
  readonly lines: readonly TextLine[];
  /** Whether the first line is the first one of the file. Otherwise, it may be in the middle of a comment. */
  readonly isFromStart: boolean;
}

/** Tokens of the lines, by their keys. */
export type LineColors = ReadonlyMap<object, readonly Token[]>;

/** Maximum number of characters of a file, or of both sides of a difference, that are coloured. */
export const MAX_COLORED_CHARACTERS = 1_000_000;
/** The page is not blocked for longer than this, except by a single line. */
const MAX_SLICE_MS = 8;
/** A text that takes longer is hostile: its rest, and all further texts in its language, have no colours. */
const MAX_WORK_MS = 1_000;
const MAX_LINE_MS = 100;

const slowLanguages = new Set<Language>();

type Delimiters = readonly [start: string, end: string];

/** Delimiters of comments that can start before the first line of a hunk. */
const MARKUP_COMMENTS: Delimiters = ['<!--', '-->'];
const BLOCK_COMMENTS: Delimiters = ['/*', '*/'];
const WITHOUT_BLOCK_COMMENTS: ReadonlySet<Language> = new Set<Language>([
  'dockerfile',
  'json',
  'powershell',
  'properties',
  'python',
  'ruby',
  'shell',
  'toml',
  'yaml',
]);

function findDelimiters(language: Language): Delimiters | undefined {
  if (language === 'html' || language === 'xml') return MARKUP_COMMENTS;
  return WITHOUT_BLOCK_COMMENTS.has(language) ? undefined : BLOCK_COMMENTS;
}

/**
 * Parses texts in time slices, so that the page stays responsive; work is bounded for any text.
 *
 * @param share the number of tokens that may have a colour; the lines after it have none
 * @returns the tokens of the lines, as far as they could be parsed
 */
export async function colorTexts(
  parser: LineParser,
  language: Language,
  texts: readonly SourceText[],
  signal: AbortSignal,
  share: ColorShare = UNLIMITED_SHARE,
): Promise<LineColors> {
  const colors = new Map<object, readonly Token[]>();
  let characters = 0;
  let workMs = 0;
  let sliceStart = performance.now();
  try {
    for (const { lines, isFromStart } of texts) {
      const reader = new LineReader(parser);
      const opening = isFromStart ? undefined : findOpening(lines, language);
      if (opening !== undefined) reader.readLine(opening);
      for (const { key, text } of lines) {
        characters += text.length + 1;
        if (signal.aborted || characters > MAX_COLORED_CHARACTERS || slowLanguages.has(language)) return colors;
        const lineStart = performance.now();
        const tokens = reader.readLine(text);
        const coloredCount = tokens.filter(({ kind }) => kind !== undefined).length;
        if (!share.take(coloredCount)) return colors;
        if (coloredCount > 0) colors.set(key, tokens);
        const now = performance.now();
        workMs += now - lineStart;
        if (now - lineStart > MAX_LINE_MS || workMs > MAX_WORK_MS) slowLanguages.add(language);
        if (now - sliceStart > MAX_SLICE_MS) {
          await new Promise((resolve) => setTimeout(resolve));
          sliceStart = performance.now();
        }
      }
    }
  } catch {
    // A parser that fails has coloured what precedes.
  }
  return colors;
}

/** Returns the start of a comment if the lines end one that they do not start. */
function findOpening(lines: readonly TextLine[], language: Language): string | undefined {
  const delimiters = findDelimiters(language);
  if (delimiters === undefined) return undefined;
  const [start, end] = delimiters;
  for (const { text } of lines) {
    const [startIndex, endIndex] = [text.indexOf(start), text.indexOf(end)];
    if (endIndex !== -1 && (startIndex === -1 || endIndex < startIndex)) return start;
    if (startIndex !== -1) return undefined;
  }
  return undefined;
}
