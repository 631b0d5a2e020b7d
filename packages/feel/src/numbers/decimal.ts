import { Decimal } from 'decimal.js';
import { FeelValue } from '../values.js';

const PRECISION = 34;

/**
 * The decimal type of DMN numbers: IEEE 754 decimal128 (DMN 1.3, 10.3.2.3.1), i.e. 34 significant digits, exponents up
 * to 6144, ties to even. A clone of `Decimal`, so that these settings do not affect other users of the library.
 */
export const Decimal128 = Decimal.clone({
  precision: PRECISION,
  rounding: Decimal.ROUND_HALF_EVEN,
  modulo: Decimal.ROUND_FLOOR,
  maxE: 6144,
  minE: -6176,
  toExpNeg: -7,
  toExpPos: 6145,
});

/**
 * Repairs decimal.js after a stack overflow. During a computation, the library keeps state in module variables and does
 * not reset them if an exception occurs: all later results in this process would have wrong digits.
 */
export function repairDecimalLibrary(): void {
  Decimal128.set({ precision: PRECISION, rounding: Decimal.ROUND_HALF_EVEN });
  new Decimal128(2).sqrt(); // At its end, `sqrt` enables rounding again (`external` in decimal.js).
}

/**
 * A FEEL number. It is a JavaScript number if the shortest decimal of that double (ECMA-262, Number::toString) is the
 * number itself, and a `FeelDecimal` otherwise. Each number therefore has exactly one representation, a JSON number
 * equals the decimal in its text, and two JavaScript numbers compare like the decimals that they represent.
 */
export type FeelNumber = number | FeelDecimal;

/** A number that a double cannot represent exactly, for example `1 / 3` or 9007199254740993. */
export class FeelDecimal extends FeelValue {
  readonly kind = 'number';

  constructor(readonly value: Decimal) {
    super();
  }
}

export function isNumber(value: unknown): value is FeelNumber {
  return typeof value === 'number' || value instanceof FeelDecimal;
}

export function toDecimal(value: FeelNumber): Decimal {
  return typeof value === 'number' ? new Decimal128(value) : value.value;
}

/** Decimals of up to 15 digits survive the conversion to a double and back (IEEE 754, 5.12.2). */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT = 290;

/** Returns the nearest double. Avoids `toNumber()`, which writes out up to 6,144 digits first. */
export function toNearestDouble(value: Decimal): number {
  return Number(value.toExponential());
}

/**
 * Converts a decimal to its unique FEEL number. Returns null if it is not finite: out of the range of decimal128, or
 * mathematically undefined.
 */
export function fromDecimal(value: Decimal): FeelNumber | null {
  if (!value.isFinite()) return null;
  const double = toNearestDouble(value);
  if (value.precision() <= SAFE_DIGITS && Math.abs(value.e) <= SAFE_EXPONENT) return double + 0;
  return Number.isFinite(double) && new Decimal128(double).equals(value) ? double + 0 : new FeelDecimal(value);
}

/** Parses a decimal in JavaScript syntax, rounded to 34 digits. */
export function parseDecimal(text: string): FeelNumber | null {
  return fromDecimal(new Decimal128(text).toSignificantDigits(Decimal128.precision));
}

/** Returns the whole part of a number, truncated towards zero, as used for positions, lengths and duration factors. */
export function getWholePart(value: FeelNumber): number {
  return typeof value === 'number' ? Math.trunc(value) : toNearestDouble(value.value.trunc());
}

/** Compares two numbers. Returns a negative number, zero or a positive number. */
export function compareNumbers(left: FeelNumber, right: FeelNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return toDecimal(left).comparedTo(toDecimal(right));
}

/** Formats a number as FEEL's `string()` does. Whole numbers have no exponent. */
export function formatNumber(value: FeelNumber): string {
  if (typeof value === 'number' && Math.abs(value) < 1e21) return String(value).replace('e', 'E');
  return toDecimal(value).toString().replace('e', 'E');
}
