import { InexactNumberError, parseExactJson } from '@countersign/contract';

/** Position, from 1, at which a text stops being JSON or has a number that cannot be stored exactly. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** Set if the cause is a number. */
  readonly inexact?: true;
}

/**
 * Parses JSON, or returns the position of the error: browsers word the error differently, and do not always give its
 * position.
 */
export function readJson(
  text: string,
): { readonly value: unknown; readonly fault?: undefined } | { readonly fault: JsonFault } {
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    if (error instanceof InexactNumberError) return { fault: { ...placeOf(text, error.offset), inexact: true } };
    return { fault: placeOf(text, endOfJson(text)) };
  }
}

function placeOf(text: string, offset: number): JsonFault {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

const SPACE = /[ \t\r\n]*/y;
/** Tokens of RFC 8259, 6 and 7; punctuation marks are separate tokens. */
const TOKEN =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/uy;

/** What is allowed next. */
type Wanted = 'value' | 'value-or-]' | 'name' | 'name-or-}' | ':' | 'more' | 'nothing';

/** Returns the offset of the first invalid token, or the length if the text ends too early. */
function endOfJson(text: string): number {
  const opened: ('[' | '{')[] = [];
  let wanted: Wanted = 'value';
  let at = 0;
  for (;;) {
    at += matchAt(SPACE, text, at).length;
    const token = matchAt(TOKEN, text, at);
    const next: Wanted | undefined = token === '' ? undefined : after(wanted, token, opened);
    if (next === undefined) return at;
    wanted = next;
    at += token.length;
  }
}

function after(wanted: Wanted, token: string, opened: ('[' | '{')[]): Wanted | undefined {
  const closes =
    (token === ']' && opened.at(-1) === '[' && (wanted === 'more' || wanted === 'value-or-]')) ||
    (token === '}' && opened.at(-1) === '{' && (wanted === 'more' || wanted === 'name-or-}'));
  if (closes) {
    opened.pop();
    return opened.length === 0 ? 'nothing' : 'more';
  }
  if (wanted === 'more') return token === ',' ? (opened.at(-1) === '{' ? 'name' : 'value') : undefined;
  if (wanted === ':') return token === ':' ? 'value' : undefined;
  if (wanted === 'name' || wanted === 'name-or-}') return token.startsWith('"') ? ':' : undefined;
  if (wanted === 'nothing') return undefined;
  if (token === '[' || token === '{') {
    opened.push(token);
    return token === '[' ? 'value-or-]' : 'name-or-}';
  }
  if (/^[\]},:]$/.test(token)) return undefined;
  return opened.length === 0 ? 'nothing' : 'more';
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
