import {
  canonicalJson,
  findJsonEnd,
  InexactNumberError,
  isJsonObject,
  type Json,
  parseExactJson,
} from '@countersign/model';
import { sanitizeString } from './sanitize-json.js';

/** JSON parsed from a language model's response, or the problem that makes the response unusable. */
export type JsonCompletion = { readonly value: Json } | { readonly problem: string };

/** Maximum number of possible JSON starts that are tried, and of characters read for all of them. */
const MAX_CANDIDATES = 50;
const MAX_SCANNED_CHARACTERS = 1_000_000;

const ONLY_JSON_HINT = 'Answer with one JSON object and nothing else.';

/**
 * Returns the JSON object of a response: the whole response, or its only JSON object, in a Markdown block or in prose.
 * Language models add text around JSON despite instructions. Several objects, a list, or a broken part that may be JSON
 * are ambiguous and reported as a problem.
 */
export function parseJsonCompletion(text: string): JsonCompletion {
  const wholeResult = parseJson(text.replace(/^\s*\ufeff/, ''));
  if ('value' in wholeResult || wholeResult.isJson) return wholeResult;
  const { textLines, codeBlocks: nonJsonBlocks } = separateNonJsonBlocks(text);
  const resultsByContent = new Map<string, JsonCompletion>();
  const addResult = (result: JsonCompletion, part: string): void =>
    void resultsByContent.set('value' in result ? canonicalJson(result.value) : part, result);
  for (const part of findJsonCandidates(textLines)) {
    if (part === undefined) return { problem: `It contains too many braces. ${ONLY_JSON_HINT}` };
    const result = parseJson(part);
    if ('value' in result && !isJsonObject(result.value)) return { problem: `It contains a list. ${ONLY_JSON_HINT}` };
    if (!('value' in result) && !result.isJson)
      return { problem: `It contains broken JSON: ${result.problem}. ${ONLY_JSON_HINT}` };
    addResult(result, part);
  }
  // Language models also label JSON blocks as JavaScript or text. Partial JSON in such a block is ignored.
  if (resultsByContent.size === 0)
    for (const code of nonJsonBlocks) {
      const result = parseJson(code);
      if ('value' in result ? isJsonObject(result.value) : result.isJson) addResult(result, code);
    }
  const [first, ...others] = resultsByContent.values();
  if (first === undefined)
    return { problem: `It is not JSON: ${wholeResult.problem}. Answer with one JSON object and nothing else.` };
  return others.length === 0 ? first : { problem: `It contains several JSON objects. ${ONLY_JSON_HINT}` };
}

type ParseResult = { readonly value: Json } | { readonly problem: string; readonly isJson: boolean };

function parseJson(text: string): ParseResult {
  try {
    return { value: parseExactJson(text) as Json };
  } catch (error) {
    if (error instanceof InexactNumberError) return { problem: error.message, isJson: true };
    return { problem: sanitizeString(error instanceof Error ? error.message : String(error)), isJson: false };
  }
}

/** Matches the first word after a code fence if the word is missing or denotes JSON. */
const JSON_FENCE_INFO = /^(?:(?:application\/)?json\w*)?$/i;

/** Splits a text into the text without code blocks of other languages (CommonMark 0.31, 4.5), and those blocks. */
function separateNonJsonBlocks(text: string): { readonly textLines: string; readonly codeBlocks: readonly string[] } {
  let openBlock: { readonly fence: string; readonly lines: string[] } | undefined;
  const keptLines: string[] = [];
  const blocks: string[][] = [];
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (openBlock === undefined) {
      if (fence === '') keptLines.push(line);
      else if (JSON_FENCE_INFO.test(firstWord(info))) openBlock = { fence, lines: keptLines };
      else {
        openBlock = { fence, lines: [] };
        blocks.push(openBlock.lines);
      }
    } else if (fence.startsWith(openBlock.fence) && info.trim() === '') openBlock = undefined;
    else openBlock.lines.push(line);
  }
  return { textLines: keptLines.join('\n'), codeBlocks: blocks.map((lines) => lines.join('\n')) };
}

function firstWord(info: string): string {
  return info.trim().split(/[\s{,]/, 1)[0] ?? '';
}

/**
 * Yields each part that starts like a JSON object or a list of objects, up to its closing bracket. Yields `undefined`
 * if a limit is exceeded.
 */
function* findJsonCandidates(text: string): Generator<string | undefined> {
  let scannedCharacters = 0;
  const openingBracket = /\{(?=\s*["}])|\[(?=\s*\{)|\{/g;
  for (
    let candidateCount = 0, match = openingBracket.exec(text);
    match !== null;
    match = openingBracket.exec(text), candidateCount += 1
  ) {
    if (candidateCount >= MAX_CANDIDATES || scannedCharacters >= MAX_SCANNED_CHARACTERS) {
      yield undefined;
      return;
    }
    const end = findJsonEnd(text, match.index);
    scannedCharacters += (end ?? text.length) - match.index;
    const isJson =
      text[match.index] === '[' || /^\{\s*["}]/.test(text.slice(match.index, match.index + MAX_WHITESPACE_CHARACTERS));
    // An unclosed brace may contain all the remaining text.
    if (isJson || end === undefined) yield text.slice(match.index, end);
    openingBracket.lastIndex = end ?? text.length;
  }
}

/** Maximum distance between a brace and the first property name, in characters. */
const MAX_WHITESPACE_CHARACTERS = 1_000;
