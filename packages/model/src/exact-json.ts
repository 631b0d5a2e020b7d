import { escapePointer, type Json, type JsonProblem, MAX_JSON_DEPTH } from './json.js';

/**
 * A number of a JSON text that would be read as another one: JSON.parse makes doubles (RFC 8259, section 6; RFC 7493,
 * 2.2), and history is hashed as doubles (RFC 8785, 3.2.2.3).
 */
interface InexactNumber {
  readonly places: readonly Place[];
  /** As it is written. */
  readonly number: string;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
}

/** Thrown by {@link parseExactJson}. */
export class InexactNumberError extends Error {
  readonly code = 'number_not_exact';

  constructor(
    readonly problem: JsonProblem,
    readonly offset: number,
  ) {
    super(`At "${problem.pointer}": ${problem.message}`);
    this.name = 'InexactNumberError';
  }
}

/**
 * Parses JSON whose numbers must stay what they are.
 *
 * @throws {SyntaxError} if the text is not JSON
 * @throws {InexactNumberError} if a number in it is none that a double holds
 */
export function parseExactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  for (const { places, number, offset } of findInexactNumbers(text))
    throw new InexactNumberError(problemOf(pointerOf(text, places), number), offset);
  return value;
}

/** Only such a text can contain a number that is not exact: 16 digits, or an exponent of two. */
const SUSPICIOUS = /\d[\d.]{15}|[eE][+-]?\d\d/;
const TOKEN = /["[\]{},:]|-?\d[\d.eE+-]*/;

/** Parses JSON, and gives each number that a double cannot hold as the text that it is. @throws {SyntaxError} */
export function parseInexactAsText(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const parts: string[] = [];
  let end = 0;
  for (const { number, offset } of findInexactNumbers(text)) {
    parts.push(text.slice(end, offset), `"${number}"`);
    end = offset + number.length;
  }
  return end === 0 ? value : (JSON.parse(parts.join('') + text.slice(end)) as unknown);
}

/**
 * The inexact numbers of a text that is JSON, in their order. Infinite ones are not among them: `findJsonProblem`
 * refuses them together with those that do not come from a text.
 */
function* findInexactNumbers(text: string): Generator<InexactNumber> {
  if (!SUSPICIOUS.test(text)) return;
  const tokens = new RegExp(TOKEN, 'g');
  const places: Place[] = [];
  let string: readonly [start: number, end: number] = [0, 0];
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    const place = places.at(-1);
    if (token === '"') {
      tokens.lastIndex = endOfString(text, match.index);
      if (place !== undefined && place.index === undefined) string = [match.index, tokens.lastIndex];
    } else if (token === '{') places.push({ name: string, index: undefined });
    else if (token === '[') places.push({ name: string, index: 0 });
    else if (token === '}' || token === ']') places.pop();
    else if (token === ':') {
      if (place !== undefined) place.name = string;
    } else if (token === ',') {
      if (place?.index !== undefined) place.index += 1;
    } else if (!isExact(token)) yield { places, number: token, offset: match.index };
  }
}

/** Where in an object (`name`, as offsets of the string) or a list (`index`) the scan is. */
interface Place {
  name: readonly [start: number, end: number];
  index: number | undefined;
}

/** JSON Pointer (RFC 6901) of a place; of one that is too deep to be kept, its beginning. */
function pointerOf(text: string, places: readonly Place[]): string {
  return places
    .slice(0, MAX_JSON_DEPTH)
    .map(
      ({ name, index }) => `/${index === undefined ? escapePointer(String(JSON.parse(text.slice(...name)))) : index}`,
    )
    .join('');
}

/** Offset behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Digits that tell all doubles apart (IEEE 754, 5.12.2); some writers always give so many. */
const ROUND_TRIP_DIGITS = 17;

/**
 * Whether a number is what its double is written as (ECMA-262, Number::toString). A fraction may also have 17 digits
 * that name the same double: 0.10000000000000001 is 0.1.
 */
function isExact(number: string): boolean {
  const double = Number(number);
  if (!Number.isFinite(double)) return true;
  const written = decimalOf(number);
  if (written === decimalOf(String(double))) return true;
  const digits = written.indexOf('e');
  return (
    digits <= ROUND_TRIP_DIGITS &&
    double !== 0 &&
    !Number.isInteger(double) &&
    written === decimalOf(double.toPrecision(digits))
  );
}

/** A number without its sign as significant digits and exponent, so that equal numbers have equal texts. */
function decimalOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^-/, '').split(/e(?=[+-]?\d+$)/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length; // Not by a pattern, which would take quadratic time for zeros inside.
  while (length > 0 && digits[length - 1] === '0') length -= 1;
  return length === 0
    ? '0e0'
    : `${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}

/**
 * Finds a number that may have become another one before it came here: JSON.parse makes 9007199254740992 of
 * 9007199254740993. Refused are whole numbers beyond 2^53 - 1 (RFC 7493, 2.2) that JSON writes with all their digits;
 * from 1e21 on it writes an exponent. For values whose text is not at hand.
 */
export function findUnsafeInteger(value: unknown, pointer = ''): JsonProblem | undefined {
  if (typeof value === 'bigint') return unsafe(pointer, value);
  if (typeof value === 'number') {
    const isDoubtful = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
    return isDoubtful ? unsafe(pointer, value) : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value as Record<string, Json>)) {
    const found = findUnsafeInteger(member, `${pointer}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unsafe(pointer: string, number: number | bigint): JsonProblem {
  return {
    pointer,
    code: 'number_not_exact',
    message: `The number ${number} may have been rounded: whole numbers are exact up to 9007199254740991. Send it as text.`,
  };
}

/** Length of a number in a message. */
const QUOTED = 60;

function problemOf(pointer: string, number: string): JsonProblem {
  const shown = number.length > QUOTED ? `${number.slice(0, QUOTED)}…` : number;
  return {
    pointer,
    code: 'number_not_exact',
    message: `JSON numbers cannot hold ${shown} exactly. Send it as text: "${shown}".`,
  };
}
