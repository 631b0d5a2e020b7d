import { InexactNumberError, parseExactJson } from '@countersign/contract';

/** Position, counted from 1, of the first invalid token or of a number that cannot be stored exactly. */
export interface JsonErrorPosition {
  readonly line: number;
  readonly column: number;
  /** Set if the error is a number that cannot be stored exactly. */
  readonly inexact?: true;
}

/**
 * Parses JSON, or returns the position of the error: browsers word the error differently, and do not always give its
 * position.
 */
export function parseJson(
  text: string,
): { readonly value: unknown; readonly error?: undefined } | { readonly error: JsonErrorPosition } {
  try {
    return { value: parseExactJson(text) };
  } catch (error) {
    if (error instanceof InexactNumberError)
      return { error: { ...toErrorPosition(text, error.offset), inexact: true } };
    return { error: toErrorPosition(text, findErrorOffset(text)) };
  }
}

function toErrorPosition(text: string, offset: number): JsonErrorPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

const SPACE = /[ \t\r\n]*/y;
/** Tokens of RFC 8259, sections 6 and 7; punctuation marks are separate tokens. */
const TOKEN =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/uy;

/** The kind of token that is allowed next. */
type ExpectedToken = 'value' | 'value-or-]' | 'name' | 'name-or-}' | ':' | 'more' | 'nothing';

/** Returns the offset of the first invalid token, or the length if the text ends too early. */
function findErrorOffset(text: string): number {
  const openBrackets: ('[' | '{')[] = [];
  let expected: ExpectedToken = 'value';
  let offset = 0;
  for (;;) {
    offset += matchAt(SPACE, text, offset).length;
    const token = matchAt(TOKEN, text, offset);
    const next: ExpectedToken | undefined = token === '' ? undefined : getNextExpected(expected, token, openBrackets);
    if (next === undefined) return offset;
    expected = next;
    offset += token.length;
  }
}

function getNextExpected(
  expected: ExpectedToken,
  token: string,
  openBrackets: ('[' | '{')[],
): ExpectedToken | undefined {
  const isClosingBracket =
    (token === ']' && openBrackets.at(-1) === '[' && (expected === 'more' || expected === 'value-or-]')) ||
    (token === '}' && openBrackets.at(-1) === '{' && (expected === 'more' || expected === 'name-or-}'));
  if (isClosingBracket) {
    openBrackets.pop();
    return openBrackets.length === 0 ? 'nothing' : 'more';
  }
  if (expected === 'more') return token === ',' ? (openBrackets.at(-1) === '{' ? 'name' : 'value') : undefined;
  if (expected === ':') return token === ':' ? 'value' : undefined;
  if (expected === 'name' || expected === 'name-or-}') return token.startsWith('"') ? ':' : undefined;
  if (expected === 'nothing') return undefined;
  if (token === '[' || token === '{') {
    openBrackets.push(token);
    return token === '[' ? 'value-or-]' : 'name-or-}';
  }
  if (/^[\]},:]$/.test(token)) return undefined;
  return openBrackets.length === 0 ? 'nothing' : 'more';
}

function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
}
