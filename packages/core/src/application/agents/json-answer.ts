import {
  canonicalJson,
  endOfJson,
  InexactNumberError,
  isJsonObject,
  type Json,
  parseExactJson,
} from '@countersign/model';
import { sanitizeString } from './sanitize-json.js';

/** JSON that a model answers with, or what is wrong with its answer. */
export type JsonAnswer = { readonly value: Json } | { readonly problem: string };

/** Places at which JSON may begin that are looked at, and characters that are read for all of them. */
const MAX_TRIED = 50;
const MAX_SCANNED = 1_000_000;

const ALONE = 'Answer with one JSON object alone.';

/**
 * The JSON object in an answer: the answer itself, or the only one that stands in it, in a block of Markdown or among other
 * words. Models write around it, whatever they are told. Where there are several, a list, or a part that may be JSON and is
 * broken, nobody knows what is meant.
 */
export function readJsonAnswer(text: string): JsonAnswer {
  const whole = parsed(text.replace(/^\s*\ufeff/, ''));
  if ('value' in whole || whole.isJson) return whole;
  const { kept, others: otherCode } = withoutOtherCode(text);
  const found = new Map<string, JsonAnswer>();
  const add = (one: JsonAnswer, part: string): void =>
    void found.set('value' in one ? canonicalJson(one.value) : part, one);
  for (const part of partsOf(kept)) {
    if (part === undefined) return { problem: `It holds too many braces. ${ALONE}` };
    const one = parsed(part);
    if ('value' in one && !isJsonObject(one.value)) return { problem: `It holds a list. ${ALONE}` };
    if (!('value' in one) && !one.isJson) return { problem: `It holds JSON that is broken: ${one.problem}. ${ALONE}` };
    add(one, part);
  }
  // Models also say that it is JavaScript, or a text. What is only in part JSON may be anything.
  if (found.size === 0)
    for (const code of otherCode) {
      const one = parsed(code);
      if ('value' in one ? isJsonObject(one.value) : one.isJson) add(one, code);
    }
  const [first, ...others] = found.values();
  if (first === undefined) return { problem: `It is not JSON: ${whole.problem}. Answer with a JSON object alone.` };
  return others.length === 0 ? first : { problem: `It holds several JSON objects. ${ALONE}` };
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

/** The first word behind a fence, for JSON. */
const JSON_INFO = /^(?:(?:application\/)?json\w*)?$/i;

/** A text without blocks of code (CommonMark 0.31, 4.5) that are said to be in another language, and these. */
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

/** What begins as JSON objects or lists of them do, each until it is closed; `undefined` where there is too much to look at. */
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
    // A brace that is not closed may hold all that follows.
    if (isJson || end === undefined) yield text.slice(begin.index, end);
    begins.lastIndex = end ?? text.length;
  }
}

/** Between a brace and the first name, in characters. */
const MAX_SPACE = 1_000;
