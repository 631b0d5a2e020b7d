import type { Decimal } from 'decimal.js';
import type { EvaluationState } from '../budget.js';
import { Decimal128, fromDecimal, toDecimal, type FeelNumber } from './decimal.js';

/**
 * Arithmetic of DMN (1.3, 10.3.2.3.1) in 34 decimal digits. Whole numbers and numbers with few decimals are computed as
 * whole doubles, which is exact and about ten times as fast. All others use decimal.js.
 */

/** Powers of ten by which the fast paths of sums and products multiply their operands to get whole numbers. */
const SUM_SCALE = 1e6;
const FACTOR_SCALE = 1e4;

/** Whole numbers below this limit have at most 15 digits, so their quotient by a power of ten is the nearest double. */
const SHORT_INTEGER_LIMIT = 1e15;

/**
 * Steps for functions that take tens of times (`ROOT_STEPS`: a root, a power by squaring) or hundreds of times
 * (`SERIES_STEPS`) as long as an addition.
 */
const ROOT_STEPS = 10;
const SERIES_STEPS = 60;

/** Powers with whole exponents up to this limit are computed by squaring, all others with a logarithm. */
const MAX_SQUARING_EXPONENT = 1_000_000;

/** Returns `value * scale` if that is a whole number of at most 15 digits; otherwise NaN. */
function scaleToInteger(value: number, scale: number): number {
  const whole = Math.round(value * scale);
  return Math.abs(whole) < SHORT_INTEGER_LIMIT && whole / scale === value ? whole : Number.NaN;
}

export function add(left: FeelNumber, right: FeelNumber): FeelNumber | null {
  return tryAddDoubles(left, right) ?? fromDecimal(toDecimal(left).plus(toDecimal(right)));
}

/** Returns the sum, or `undefined` if only decimal.js is exact. */
function tryAddDoubles(left: FeelNumber, right: FeelNumber): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const sum = left + right;
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(sum)) return sum;
  const scaledSum = scaleToInteger(left, SUM_SCALE) + scaleToInteger(right, SUM_SCALE);
  return Math.abs(scaledSum) < SHORT_INTEGER_LIMIT ? scaledSum / SUM_SCALE : undefined;
}

export function negate(value: FeelNumber): FeelNumber | null {
  return typeof value === 'number' ? 0 - value : fromDecimal(value.value.negated());
}

export function subtract(left: FeelNumber, right: FeelNumber): FeelNumber | null {
  if (typeof right === 'number') return add(left, 0 - right);
  return fromDecimal(toDecimal(left).minus(right.value));
}

export function multiply(left: FeelNumber, right: FeelNumber): FeelNumber | null {
  return tryMultiplyDoubles(left, right) ?? fromDecimal(toDecimal(left).times(toDecimal(right)));
}

/** Returns the product, or `undefined` if only decimal.js is exact. */
function tryMultiplyDoubles(left: FeelNumber, right: FeelNumber): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const product = left * right;
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(product)) return product + 0;
  const scaledProduct = scaleToInteger(left, FACTOR_SCALE) * scaleToInteger(right, FACTOR_SCALE);
  return Math.abs(scaledProduct) < SHORT_INTEGER_LIMIT ? scaledProduct / (FACTOR_SCALE * FACTOR_SCALE) + 0 : undefined;
}

/** Divides two numbers. Returns null for a division by zero. */
export function divide(left: FeelNumber, right: FeelNumber): FeelNumber | null {
  if (right === 0) return null;
  if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number(left) % Number(right) === 0)
    return Number(left) / Number(right) + 0;
  return fromDecimal(toDecimal(left).dividedBy(toDecimal(right)));
}

/**
 * Returns a power, or null if it is not a real number: a negative base with a fractional exponent, or a zero base with
 * a negative exponent.
 */
export function power(state: EvaluationState, base: FeelNumber, exponent: FeelNumber): FeelNumber | null {
  state.chargeSteps(
    Number.isInteger(exponent) && Math.abs(Number(exponent)) <= MAX_SQUARING_EXPONENT ? ROOT_STEPS : SERIES_STEPS,
  );
  const [decimalBase, decimalExponent] = [toDecimal(base), toDecimal(exponent)];
  const result = decimalBase.pow(decimalExponent);
  return fromDecimal(
    result.isZero() && !decimalBase.isZero() ? computeTinyPower(decimalBase, decimalExponent) : result,
  );
}

/**
 * Decimal type with a wider exponent range. For a negative exponent, the library first computes the positive power and
 * then its inverse; the positive power may exceed the range of decimal128.
 */
const WideDecimal = Decimal128.clone({ maxE: 20_000, minE: -20_000 });

function computeTinyPower(base: Decimal, exponent: Decimal): Decimal {
  return new Decimal128(new WideDecimal(base).pow(exponent).toString());
}

export function squareRoot(state: EvaluationState, value: FeelNumber): FeelNumber | null {
  state.chargeSteps(ROOT_STEPS);
  return fromDecimal(toDecimal(value).sqrt());
}

/** Returns the natural logarithm. */
export function logarithm(state: EvaluationState, value: FeelNumber): FeelNumber | null {
  state.chargeSteps(SERIES_STEPS);
  return fromDecimal(toDecimal(value).ln());
}

export function exponential(state: EvaluationState, value: FeelNumber): FeelNumber | null {
  state.chargeSteps(SERIES_STEPS);
  return fromDecimal(toDecimal(value).exp());
}

/**
 * Returns `dividend - divisor * floor(dividend / divisor)`: the remainder with the divisor's sign (DMN 1.3, table 75).
 */
export function modulo(state: EvaluationState, dividend: FeelNumber, divisor: FeelNumber): FeelNumber | null {
  if (divisor === 0) return null;
  if (Number.isSafeInteger(dividend) && Number.isSafeInteger(divisor)) {
    const remainder = Number(dividend) % Number(divisor);
    return (remainder !== 0 && remainder < 0 !== Number(divisor) < 0 ? remainder + Number(divisor) : remainder) + 0;
  }
  const [numerator, denominator] = [toDecimal(dividend), toDecimal(divisor)];
  state.chargeSteps(1 + Math.max(0, numerator.e - denominator.e) / DIGITS_PER_STEP);
  return fromDecimal(numerator.modulo(denominator).toSignificantDigits(Decimal128.precision));
}

/** Number of digits of a quotient per step. */
const DIGITS_PER_STEP = 16;

/** Steps for one number that is added or multiplied with decimal.js. */
const STEPS_PER_DECIMAL = 0.5;

/** Returns the sum of numbers, rounded to 34 digits at each addition; 0 for an empty list. */
export function sum(numbers: readonly FeelNumber[], state?: EvaluationState): FeelNumber | null {
  return accumulate(numbers, 0, state, tryAddDoubles, (total, value) => total.plus(value));
}

export function product(numbers: readonly FeelNumber[], state?: EvaluationState): FeelNumber | null {
  return accumulate(numbers, 1, state, tryMultiplyDoubles, (total, value) => total.times(value));
}

/**
 * Combines the numbers on the fast path while it is exact, then the rest with decimal.js, without intermediate
 * conversions.
 */
function accumulate(
  numbers: readonly FeelNumber[],
  start: number,
  state: EvaluationState | undefined,
  tryCombineDoubles: (total: number, value: FeelNumber) => number | undefined,
  combineDecimals: (total: Decimal, value: Decimal) => Decimal,
): FeelNumber | null {
  let total = start;
  for (let index = 0; index < numbers.length; index += 1) {
    const next = tryCombineDoubles(total, numbers[index] ?? start);
    if (next === undefined) {
      const rest = numbers.slice(index);
      state?.chargeSteps(rest.length * STEPS_PER_DECIMAL);
      return fromDecimal(
        rest.reduce<Decimal>((sum, value) => combineDecimals(sum, toDecimal(value)), toDecimal(total)),
      );
    }
    total = next;
  }
  return total;
}
