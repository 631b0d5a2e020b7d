import { truncateText } from './truncate-text.js';
import { findJsonProblem, type JsonProblem, MAX_JSON_DEPTH } from './json.js';
import { escapePointer } from './json-pointer.js';

/** Thrown by {@link parseExactJson} and {@link parseLosslessJson} when a number cannot be kept exactly. */
export class InexactNumberError extends Error {
  readonly code = 'number_not_exact';
  readonly problem: JsonProblem;

  constructor(
    pointer: string,
    /** The problem with the number, without the remedy. */
    readonly reason: string,
    /** Offset of the number in the text, in UTF-16 code units. */
    readonly offset: number,
  ) {
    const problem: JsonProblem = { pointer, code: 'number_not_exact', message: `${reason} Send it as a string.` };
    super(`At "${pointer}": ${problem.message}`);
    this.name = 'InexactNumberError';
    this.problem = problem;
  }
}

/**
 * Parses JSON from outside. Refuses numbers that would be stored as other numbers, and all whole numbers beyond 2^53 -
 * 1, even exact ones: which of them are exact depends on their last digits, so an id could pass every test and fail in
 * production. JSON.parse returns doubles (RFC 8259, section 6; RFC 7493, section 2.2), and history is hashed as doubles
 * (RFC 8785, section 3.2.2.3).
 *
 * @throws {SyntaxError} if the text is not JSON
 * @throws {InexactNumberError} for the first such number
 */
export function parseExactJson(text: string): unknown {
  return parse(text, isInterchangeable);
}

/**
 * Parses JSON that Countersign wrote. Refuses numbers that a double cannot represent, because JSON.parse would change
 * them silently. Accepts whole numbers beyond 2^53 - 1 that are exact: earlier versions stored them.
 *
 * @throws {SyntaxError} if the text is not JSON
 * @throws {InexactNumberError} for the first such number
 */
export function parseLosslessJson(text: string): unknown {
  return parse(text, isLossless);
}

/**
 * Parses JSON and returns each number that {@link parseExactJson} refuses as a string.
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

/**
 * Returns the reason why {@link parseExactJson} would refuse a number that a user typed; `undefined` if it would not.
 */
export function findNumberError(text: string): 'not_a_number' | 'not_exact' | undefined {
  if (!NUMBER.test(text)) return 'not_a_number';
  return isInterchangeable(text) ? undefined : 'not_exact';
}

/**
 * Finds a number that may already have been changed, or that JSON would change: NaN, infinities, BigInts, and whole
 * numbers beyond 2^53 - 1 (RFC 7493, section 2.2), since JSON.parse reads 9007199254740993 as 9007199254740992. Use it
 * only if the JSON text is not available, because it detects less than {@link parseExactJson}: it accepts all
 * fractions, which may have been computed, and whole numbers of at least 1e21, which are quantities.
 */
export function findInexactNumber(value: unknown, pointer = ''): JsonProblem | undefined {
  return findInexactNumberWithin(value, pointer, 0, new Set());
}

/**
 * Returns the reason why a value from outside cannot be stored: see {@link findJsonProblem} and {@link
 * findInexactNumber}.
 */
export function findInputProblem(value: unknown, pointer = ''): JsonProblem | undefined {
  return findJsonProblem(value, pointer) ?? findInexactNumber(value, pointer);
}

/** Deeper values are not searched, because they cannot be written as JSON anyway. */
const MAX_SEARCH_DEPTH = 1_000;

function findInexactNumberWithin(
  rawValue: unknown,
  pointer: string,
  depth: number,
  visited: Set<object>,
): JsonProblem | undefined {
  const value = hasToJson(rawValue) ? rawValue.toJSON() : rawValue;
  const description = describeInexactValue(value);
  if (description !== undefined)
    return { pointer: pointer.slice(0, MAX_POINTER_LENGTH), code: 'number_not_exact', message: description };
  if (typeof value !== 'object' || value === null || visited.has(value) || depth > MAX_SEARCH_DEPTH) return undefined;
  visited.add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = findInexactNumberWithin(member, `${pointer}/${escapePointer(key)}`, depth + 1, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a value has `toJSON()`, which programs may also add to BigInt. */
function hasToJson(value: unknown): value is { toJSON(): unknown } {
  const canHaveMethods = (typeof value === 'object' && value !== null) || typeof value === 'bigint';
  return canHaveMethods && typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

function describeInexactValue(value: unknown): string | undefined {
  if (typeof value === 'bigint') return `JSON has no BigInt ${abbreviate(String(value))}. Send it as a string.`;
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return `JSON has no number ${value}.`;
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= MIN_QUANTITY) return undefined;
  return `The number ${value} may have been rounded: whole numbers are exact only up to ${Number.MAX_SAFE_INTEGER}. Send it as a string.`;
}

function parse(text: string, isAccepted: (number: string) => boolean): unknown {
  const value = JSON.parse(text) as unknown;
  for (const { number, offset } of findNumbers(text, isAccepted))
    throw new InexactNumberError(getPointerAt(text, offset), describeInexactNumber(number), offset);
  return value;
}

/** Numbers as people write them: also +1, 01, 1. and .5, which are not JSON. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** The beginning of a string, or a number with at least 16 digits or an exponent: all other numbers are exact. */
const STRING_OR_LONG = /"|-?\d[\d.]{15}[\d.eE+-]*|-?\d[\d.]*[eE][+-]?\d+/g;

/** Yields the numbers that are not accepted, in the order of the text, which must be JSON. */
function* findNumbers(
  text: string,
  isAccepted: (number: string) => boolean,
): Generator<{ readonly number: string; readonly offset: number }> {
  const tokens = new RegExp(STRING_OR_LONG);
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    if (match[0] === '"') tokens.lastIndex = findStringEnd(text, match.index);
    else if (!isAccepted(match[0])) yield { number: match[0], offset: match.index };
  }
}

/** Position of a scan in an object (`name`, as offsets of the string) or in a list (`index`). */
interface JsonPosition {
  name: readonly [start: number, end: number];
  index: number | undefined;
}

const STRUCTURE = /["[\]{},:]/g;

/** Returns the objects and lists that contain the number at an offset, outermost first. */
function findPositions(text: string, offset: number): readonly JsonPosition[] {
  const tokens = new RegExp(STRUCTURE);
  const positions: JsonPosition[] = [];
  let stringRange: readonly [start: number, end: number] = [0, 0];
  for (let match = tokens.exec(text); match !== null && match.index < offset; match = tokens.exec(text)) {
    const [token] = match;
    const position = positions.at(-1);
    if (token === '"') {
      tokens.lastIndex = findStringEnd(text, match.index);
      if (position !== undefined && position.index === undefined) stringRange = [match.index, tokens.lastIndex];
    } else if (token === '{') positions.push({ name: stringRange, index: undefined });
    else if (token === '[') positions.push({ name: stringRange, index: 0 });
    else if (token === '}' || token === ']') positions.pop();
    else if (position === undefined) continue;
    else if (token === ':') position.name = stringRange;
    else if (position.index !== undefined) position.index += 1;
  }
  return positions;
}

/** Returns the offset after the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Maximum length of a JSON Pointer, in characters: it becomes part of stored messages. */
const MAX_POINTER_LENGTH = 1_000;

/**
 * Returns the JSON Pointer (RFC 6901) of a number. It ends before a name that cannot be stored, or where it would
 * become too deep or too long.
 */
function getPointerAt(text: string, offset: number): string {
  let pointer = '';
  for (const { name, index } of findPositions(text, offset).slice(0, MAX_JSON_DEPTH)) {
    const segment = index === undefined ? String(JSON.parse(text.slice(...name))) : String(index);
    const extended = `${pointer}/${escapePointer(segment)}`;
    if (findJsonProblem(segment) !== undefined || extended.length > MAX_POINTER_LENGTH) break;
    pointer = extended;
  }
  return pointer;
}

/**
 * Number of digits that distinguish all doubles (IEEE 754, section 5.12.2); some serializers always write this many.
 */
const ROUND_TRIP_DIGITS = 17;
/** Number::toString (ECMA-262) writes whole numbers of at least this value with an exponent: they are quantities. */
const MIN_QUANTITY = 1e21;

function isInterchangeable(number: string): boolean {
  const double = Number(number);
  return isLossless(number) && (Number.isSafeInteger(double) || !Number.isInteger(double) || isQuantity(number));
}

/** Returns whether a whole number is written with an exponent and Number::toString would write one too. */
function isQuantity(number: string): boolean {
  return Math.abs(Number(number)) >= MIN_QUANTITY && /e/i.test(number);
}

/**
 * Returns whether a number equals the text of its double (Number::toString). A fraction, or a number with an exponent,
 * may also have up to 17 digits that denote the same double: 0.10000000000000001 is 0.1.
 */
function isLossless(number: string): boolean {
  const double = Number(number);
  if (!Number.isFinite(double)) return false;
  const shortest = String(double);
  if (number === shortest) return true;
  const decimal = toDecimal(number);
  if (decimal === toDecimal(shortest)) return true;
  const digits = decimal.indexOf('e');
  return (
    digits <= ROUND_TRIP_DIGITS &&
    double !== 0 &&
    (!Number.isInteger(double) || Math.abs(double) >= MIN_QUANTITY) &&
    decimal === toDecimal(double.toPrecision(digits))
  );
}

/** Returns a number without its sign as significant digits and exponent, so that equal numbers have equal texts. */
function toDecimal(number: string): string {
  const [mantissa = '', exponent = '0'] = number.replace(/^[+-]/, '').split(/e(?=[+-]?\d+$)/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length; // A regular expression would take quadratic time if the digits contain many zeros.
  while (length > 0 && digits[length - 1] === '0') length -= 1;
  return length === 0
    ? '0e0'
    : `${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}

function describeInexactNumber(number: string): string {
  const double = Number(number);
  if (!Number.isFinite(double)) return `The number ${abbreviate(number)} is outside the range that can be stored.`;
  const isWhole = !toDecimal(number).includes('e-');
  if (isWhole && !Number.isSafeInteger(double) && !isQuantity(number))
    return `The number ${abbreviate(number)} is beyond ${Number.MAX_SAFE_INTEGER}, up to which every whole number is exact.`;
  return `The number ${abbreviate(number)} would be stored as ${double}.`;
}

/** Maximum length of a number in a message. */
const MAX_QUOTED_LENGTH = 60;

function abbreviate(number: string): string {
  return truncateText(number, MAX_QUOTED_LENGTH);
}
