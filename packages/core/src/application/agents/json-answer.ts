import { InexactNumberError, isJsonObject, type Json, parseExactJson } from '@countersign/model';
import { storableText } from './storable.js';

/** JSON that a model answers with, or what is wrong with its answer. */
export type JsonAnswer = { readonly value: Json } | { readonly problem: string };

/** Places at which an object may begin that are tried, and characters that are looked at for all of them. */
const MAX_TRIED = 20;
const MAX_SCANNED = 1_000_000;

/**
 * The JSON object in an answer: the answer itself, or the only one that stands in it, in a block of Markdown or among other
 * words. Models write around it, whatever they are told. Of several, nobody knows which is meant.
 */
export function readJsonAnswer(text: string): JsonAnswer {
  const whole = parsed(text.replace(/^\s*\ufeff/, ''));
  if ('value' in whole || whole.isJson) return whole;
  const blocks = objectsOf(blocksOf(text));
  const found = blocks.length > 0 ? blocks : objectsOf(embeddedIn(text));
  const [first, ...others] = found;
  if (first === undefined) return { problem: `It is not JSON: ${whole.problem}. Answer with a JSON object alone.` };
  return others.length === 0 ? first : { problem: 'It holds several JSON objects. Answer with one JSON object alone.' };
}

type Parsed = { readonly value: Json } | { readonly problem: string; readonly isJson: boolean };

function parsed(text: string): Parsed {
  try {
    return { value: parseExactJson(text) as Json };
  } catch (error) {
    if (error instanceof InexactNumberError) return { problem: error.message, isJson: true };
    return { problem: storableText(error instanceof Error ? error.message : String(error)), isJson: false };
  }
}

/** Those texts that are JSON objects, or would be if their numbers could be kept. */
function objectsOf(texts: Iterable<string>): JsonAnswer[] {
  const found: JsonAnswer[] = [];
  for (const text of texts) {
    if (!text.trimStart().startsWith('{')) continue;
    const one = parsed(text);
    if ('value' in one ? isJsonObject(one.value) : one.isJson) found.push(one);
  }
  return found;
}

/** The contents of blocks of code in Markdown (CommonMark 0.31, 4.5). */
function* blocksOf(text: string): Generator<string> {
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null) open = { fence: fence[1] ?? '', lines: [] };
    } else if (fence?.[1]?.startsWith(open.fence) === true && fence[2]?.trim() === '') {
      yield open.lines.join('\n');
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) yield open.lines.join('\n');
}

/** What stands between a brace and the one that closes it, from the left, without what stands in such a part. */
function* embeddedIn(text: string): Generator<string> {
  let tried = 0;
  let scanned = 0;
  for (let begin = text.indexOf('{'); begin !== -1 && tried < MAX_TRIED && scanned < MAX_SCANNED; tried += 1) {
    const end = endOfObject(text, begin);
    scanned += (end ?? text.length) - begin;
    if (end !== undefined) yield text.slice(begin, end);
    begin = text.indexOf('{', end ?? begin + 1);
  }
}

function endOfObject(text: string, begin: number): number | undefined {
  let depth = 0;
  const tokens = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/gs;
  tokens.lastIndex = begin;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{') depth += 1;
    else if (token[0] === '}' && (depth -= 1) === 0) return tokens.lastIndex;
  }
  return undefined;
}
