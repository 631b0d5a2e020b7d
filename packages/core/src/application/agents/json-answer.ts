import {
  canonicalJson,
  endOfJson,
  InexactNumberError,
  isJsonObject,
  type Json,
  parseExactJson,
} from '@countersign/model';
import { sanitizeString } from './sanitize-json.js';

/** JSON parsed from a language model's response, or what is wrong with the response. */
export type JsonAnswer = { readonly value: Json } | { readonly problem: string };

/** Maximum number of possible JSON starts that are tried, and of characters read for all of them. */
const MAX_TRIED = 50;
const MAX_SCANNED = 1_000_000;

const ALONE = 'Answer with one JSON object and nothing else.';

/**
 * Returns the JSON object of a response: the whole response, or its only JSON object, in a Markdown block or in prose.
 * Language models add text around JSON despite instructions. Several objects, a list, or a broken part that may be JSON
 * are ambiguous and reported as a problem.
 */
export function readJsonAnswer(text: string): JsonAnswer {
  const whole = parsed(text.replace(/^\s*\ufeff/, ''));
  if ('value' in whole || whole.isJson) return whole;
  const { kept, others: otherCode } = withoutOtherCode(text);
  const found = new Map<string, JsonAnswer>();
  const add = (one: JsonAnswer, part: string): void =>
    void found.set('value' in one ? canonicalJson(one.value) : part, one);
  for (const part of partsOf(kept)) {
    if (part === undefined) return { problem: `It contains too many braces. ${ALONE}` };
    const one = parsed(part);
    if ('value' in one && !isJsonObject(one.value)) return { problem: `It contains a list. ${ALONE}` };
    if (!('value' in one) && !one.isJson) return { problem: `It contains broken JSON: ${one.problem}. ${ALONE}` };
    add(one, part);
  }
  // Language models also label JSON blocks as JavaScript or text. Partial JSON in such a block is ignored.
  if (found.size === 0)
    for (const code of otherCode) {
      const one = parsed(code);
      if ('value' in one ? isJsonObject(one.value) : one.isJson) add(one, code);
    }
  const [first, ...others] = found.values();
  if (first === undefined)
    return { problem: `It is not JSON: ${whole.problem}. Answer with one JSON object and nothing else.` };
  return others.length === 0 ? first : { problem: `It contains several JSON objects. ${ALONE}` };
}

type Parsed = { readonly value: Json } | { readonly problem: string; readonly isJson: boolean };

function parsed(text: string): Parsed {
  try {
    return { value: parseExactJson(text) as Json };
  } catch (error) {
    if (error instanceof InexactNumberError) return { problem: error.message, isJson: true };
    return { problem: sanitizeString(error instanceof Error ? error.message : String(error)), isJson: false };
  }
}

/** Matches the first word after a code fence if it denotes JSON. */
const JSON_INFO = /^(?:(?:application\/)?json\w*)?$/i;

/** Splits a text into the text without code blocks of other languages (CommonMark 0.31, 4.5), and those blocks. */
function withoutOtherCode(text: string): { readonly kept: string; readonly others: readonly string[] } {
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  const kept: string[] = [];
  const others: string[][] = [];
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === '') kept.push(line);
      else if (JSON_INFO.test(firstWord(info))) open = { fence, lines: kept };
      else {
        open = { fence, lines: [] };
        others.push(open.lines);
      }
    } else if (fence.startsWith(open.fence) && info.trim() === '') open = undefined;
    else open.lines.push(line);
  }
  return { kept: kept.join('\n'), others: others.map((lines) => lines.join('\n')) };
}

function firstWord(info: string): string {
  return info.trim().split(/[\s{,]/, 1)[0] ?? '';
}

/**
 * Yields each part that starts like a JSON object or a list of objects, up to its closing bracket. Yields `undefined`
 * if a limit is exceeded.
 */
function* partsOf(text: string): Generator<string | undefined> {
  let scanned = 0;
  const begins = /\{(?=\s*["}])|\[(?=\s*\{)|\{/g;
  for (let tried = 0, begin = begins.exec(text); begin !== null; begin = begins.exec(text), tried += 1) {
    if (tried >= MAX_TRIED || scanned >= MAX_SCANNED) {
      yield undefined;
      return;
    }
    const end = endOfJson(text, begin.index);
    scanned += (end ?? text.length) - begin.index;
    const isJson = text[begin.index] === '[' || /^\{\s*["}]/.test(text.slice(begin.index, begin.index + MAX_SPACE));
    // An unclosed brace may contain all the remaining text.
    if (isJson || end === undefined) yield text.slice(begin.index, end);
    begins.lastIndex = end ?? text.length;
  }
}

/** Maximum distance between a brace and the first name, in characters. */
const MAX_SPACE = 1_000;
