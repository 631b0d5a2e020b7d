import { escapePointer, findJsonProblem, type JsonProblem, MAX_JSON_DEPTH } from './json.js';

/** Thrown by {@link parseExactJson} and {@link parseLosslessJson}. */
export class InexactNumberError extends Error {
  readonly code = 'number_not_exact';
  readonly problem: JsonProblem;

  constructor(
    pointer: string,
    /** What is wrong with the number, without advice. */
    readonly fact: string,
    /** Where the number begins in the text, in UTF-16 code units. */
    readonly offset: number,
  ) {
    const problem: JsonProblem = { pointer, code: 'number_not_exact', message: `${fact} Send it as text.` };
    super(`At "${pointer}": ${problem.message}`);
    this.name = 'InexactNumberError';
    this.problem = problem;
  }
}

/**
 * Parses JSON that comes from outside. Refuses numbers that would be stored as other numbers, and all whole numbers
 * beyond 2^53 - 1, even those that are exact: which of them are exact depends on their last digits, so an id could pass
 * every test and fail in production. JSON.parse makes doubles (RFC 8259, section 6; RFC 7493, section 2.2), and history
 * is hashed as doubles (RFC 8785, section 3.2.2.3).
 *
 * @throws {SyntaxError} if the text is not JSON
 * @throws {InexactNumberError} for the first such number
 */
export function parseExactJson(text: string): unknown {
  return parse(text, isInterchangeable);
}

/**
 * Parses JSON that Countersign wrote. Refuses numbers that a double cannot hold, because JSON.parse would hide a change
 * to them. Accepts whole numbers beyond 2^53 - 1 that are exact: earlier versions stored them.
 *
 * @throws {SyntaxError} if the text is not JSON
 * @throws {InexactNumberError} for the first such number
 */
export function parseLosslessJson(text: string): unknown {
  return parse(text, isLossless);
}

/**
 * Parses JSON, and returns each number that {@link parseExactJson} refuses as text.
 *
 * @throws {SyntaxError} if the text is not JSON
 */
export function parseInexactAsText(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  const parts: string[] = [];
  let end = 0;
  for (const { number, offset } of findNumbers(text, isInterchangeable)) {
    parts.push(text.slice(end, offset), `"${number}"`);
    end = offset + number.length;
  }
  return end === 0 ? value : (JSON.parse(parts.join('') + text.slice(end)) as unknown);
}

/** Whether a text that a person typed is no number, or none that {@link parseExactJson} would accept. */
export function numberFault(text: string): 'not_a_number' | 'not_exact' | undefined {
  if (!NUMBER.test(text)) return 'not_a_number';
  return isInterchangeable(text) ? undefined : 'not_exact';
}

/**
 * Finds a number that may have been changed before it got here, or that JSON would change: NaN, infinities, BigInts, and
 * whole numbers beyond 2^53 - 1 (RFC 7493, section 2.2), since JSON.parse reads 9007199254740993 as 9007199254740992.
 * For values whose text is not available. It cannot see everything that {@link parseExactJson} sees: fractions may have
 * been computed, and whole numbers from 1e21 on are taken for quantities.
 */
export function findInexactNumber(value: unknown): JsonProblem | undefined {
  return findInexactIn(value, '', new Set());
}

function findInexactIn(given: unknown, pointer: string, seen: Set<object>): JsonProblem | undefined {
  const value = hasToJson(given) ? given.toJSON() : given;
  const fact = factOfValue(value);
  if (fact !== undefined) return { pointer, code: 'number_not_exact', message: fact };
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined;
  seen.add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = findInexactIn(member, `${pointer}/${escapePointer(key)}`, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}

function factOfValue(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `JSON has no BigInt ${quoted(String(value))}. Send it as text.`;
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `JSON has no number ${value}.`;
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= MIN_QUANTITY) return undefined;
  return `The number ${value} may have been rounded: whole numbers are exact up to ${Number.MAX_SAFE_INTEGER}. Send it as text.`;
}

/** A number of a JSON text. */
interface FoundNumber {
  readonly places: readonly Place[];
  /** As written. */
  readonly number: string;
  readonly offset: number;
}

/** Where in an object (`name`, as offsets of the string) or a list (`index`) the scan is. */
interface Place {
  name: readonly [start: number, end: number];
  index: number | undefined;
}

function parse(text: string, isAccepted: (number: string) => boolean): unknown {
  const value = JSON.parse(text) as unknown;
  for (const { places, number, offset } of findNumbers(text, isAccepted))
    throw new InexactNumberError(pointerOf(text, places), factOf(number), offset);
  return value;
}

/** As people write it: also +1, 01, 1. and .5, which are not JSON. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Any other text has only exact numbers: none with 16 digits, or with an exponent of two digits. */
const SUSPICIOUS = /\d[\d.]{15}|[eE][+-]?\d\d/;
const TOKEN = /["[\]{},:]|-?\d[\d.eE+-]*/;

/** The numbers that are not accepted, in the order of the text, which must be JSON. */
function* findNumbers(text: string, isAccepted: (number: string) => boolean): Generator<FoundNumber> {
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
    } else if (!isAccepted(token)) yield { places, number: token, offset: match.index };
  }
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

/** Of a JSON Pointer, in characters: it becomes part of stored messages. */
const MAX_POINTER = 1_000;

/** JSON Pointer (RFC 6901) of a place. Ends before a name that cannot be stored, and where it is too deep or too long. */
function pointerOf(text: string, places: readonly Place[]): string {
  let pointer = '';
  for (const { name, index } of places.slice(0, MAX_JSON_DEPTH)) {
    const segment = index === undefined ? String(JSON.parse(text.slice(...name))) : String(index);
    if (findJsonProblem(segment) !== undefined || pointer.length + segment.length > MAX_POINTER) break;
    pointer += `/${escapePointer(segment)}`;
  }
  return pointer;
}

/** Digits that tell all doubles apart (IEEE 754, section 5.12.2); some writers always write so many. */
const ROUND_TRIP_DIGITS = 17;
/** From here on, Number::toString (ECMA-262) writes whole numbers with an exponent: they are quantities, not ids. */
const MIN_QUANTITY = 1e21;

function isInterchangeable(number: string): boolean {
  const double = Number(number);
  return isLossless(number) && (Number.isSafeInteger(double) || !Number.isInteger(double) || isQuantity(number));
}

/** Whether a whole number is written with an exponent, and would be by Number::toString. */
function isQuantity(number: string): boolean {
  return Math.abs(Number(number)) >= MIN_QUANTITY && /e/i.test(number);
}

/**
 * Whether a number is what its double is written as (Number::toString). A fraction, or a number with an exponent, may
 * also have up to 17 digits that name the same double: 0.10000000000000001 is 0.1.
 */
function isLossless(number: string): boolean {
  const double = Number(number);
  if (!Number.isFinite(double)) return false;
  const written = decimalOf(number);
  if (written === decimalOf(String(double))) return true;
  const digits = written.indexOf('e');
  return (
    digits <= ROUND_TRIP_DIGITS &&
    double !== 0 &&
    (!Number.isInteger(double) || Math.abs(double) >= MIN_QUANTITY) &&
    written === decimalOf(double.toPrecision(digits))
  );
}

/** A number without its sign as significant digits and exponent, so that equal numbers have equal texts. */
function decimalOf(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^[+-]/, '').split(/e(?=[+-]?\d+$)/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length; // Not by a pattern, which would take quadratic time for zeros inside.
  while (length > 0 && digits[length - 1] === '0') length -= 1;
  return length === 0
    ? '0e0'
    : `${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}

function factOf(number: string): string {
  const double = Number(number);
  if (!Number.isFinite(double)) return `The number ${quoted(number)} is larger than any that JSON can hold.`;
  if (Number.isInteger(double) && !Number.isSafeInteger(double) && !isQuantity(number))
    return `The number ${quoted(number)} is not exact in JSON: whole numbers are exact up to ${Number.MAX_SAFE_INTEGER}.`;
  return `The number ${quoted(number)} would be stored as ${double}.`;
}

/** Length of a number in a message. */
const MAX_QUOTED = 60;

function quoted(number: string): string {
  return number.length > MAX_QUOTED ? `${number.slice(0, MAX_QUOTED)}…` : number;
}
