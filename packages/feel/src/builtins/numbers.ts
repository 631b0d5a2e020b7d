import { Decimal } from 'decimal.js';
import type { EvaluationState } from '../budget.js';
import { exponential, logarithm, modulo, negate, squareRoot } from '../numbers/arithmetic.js';
import { compareNumbers, Decimal128, fromDecimal, isNumber, toDecimal, getWholePart } from '../numbers/decimal.js';
import type { FeelNumber } from '../numbers/decimal.js';
import { DaysTimeDuration, YearsMonthsDuration } from '../temporal/values.js';
import { defineBuiltin, type Builtin } from './builtin.js';

/** Rounding modes by their names in java.math, as in Camunda. */
const ROUNDING_MODES = {
  up: Decimal.ROUND_UP,
  down: Decimal.ROUND_DOWN,
  ceiling: Decimal.ROUND_CEIL,
  floor: Decimal.ROUND_FLOOR,
  half_up: Decimal.ROUND_HALF_UP,
  half_down: Decimal.ROUND_HALF_DOWN,
  half_even: Decimal.ROUND_HALF_EVEN,
} as const;

type Rounding = keyof typeof ROUNDING_MODES;

/** Allowed scales of `decimal(n, scale)` (DMN 1.3, table 75). */
const MIN_SCALE = -6111;
const MAX_SCALE = 6176;

/** Number of steps charged for rounding to a multiple of a power of ten. */
const ROUNDING_STEPS = 4;

/** Rounds to `scale` digits after the point, or before it if negative. */
function round(state: EvaluationState, value: unknown, scale: unknown, rounding: Rounding): FeelNumber | null {
  if (!isNumber(value) || !isNumber(scale)) return null;
  const places = getWholePart(scale);
  if (places < MIN_SCALE || places > MAX_SCALE) return null;
  if (places >= 0) return Number.isInteger(value) ? value : roundDecimal(value, places, rounding);
  if (value === 0) return 0;
  state.chargeSteps(ROUNDING_STEPS);
  const unit = new Decimal128(10).pow(-places);
  const exact = toDecimal(value);
  // A very small quotient would become zero and lose its sign, which the rounding needs.
  const quotient = exact.e < -places - 1 ? new Decimal128(exact.isNegative() ? -0.1 : 0.1) : exact.dividedBy(unit);
  return fromDecimal(quotient.toDecimalPlaces(0, ROUNDING_MODES[rounding]).times(unit));
}

function roundDecimal(value: FeelNumber, places: number, rounding: Rounding): FeelNumber | null {
  return fromDecimal(toDecimal(value).toDecimalPlaces(places, ROUNDING_MODES[rounding]));
}

function defineRoundingBuiltin(name: string, rounding: Rounding, signature = 'n, scale'): Builtin {
  return defineBuiltin(name, signature, (state, value, scale) => round(state, value, scale ?? 0, rounding));
}

function defineNumberBuiltin(name: string, call: (state: EvaluationState, value: FeelNumber) => unknown): Builtin {
  return defineBuiltin(name, 'number', (state, value) => (isNumber(value) ? call(state, value) : null));
}

function absolute(value: unknown): unknown {
  if (isNumber(value)) return compareNumbers(value, 0) < 0 ? negate(value) : value;
  if (value instanceof DaysTimeDuration) return new DaysTimeDuration(Math.abs(value.ms));
  return value instanceof YearsMonthsDuration ? new YearsMonthsDuration(Math.abs(value.months)) : null;
}

function decimal(state: EvaluationState, value: unknown, scale: unknown, mode: unknown): FeelNumber | null {
  if (mode === undefined) return round(state, value, scale, 'half_even');
  const rounding = typeof mode === 'string' ? mode.toLowerCase() : '';
  return Object.hasOwn(ROUNDING_MODES, rounding) ? round(state, value, scale, rounding as Rounding) : null;
}

/** Returns a number modulo two, which is never negative. */
function moduloTwo(state: EvaluationState, value: FeelNumber): FeelNumber | null {
  return modulo(state, value, 2);
}

export const numberBuiltins: readonly Builtin[] = [
  defineBuiltin('decimal', 'n, scale, mode?', decimal),
  defineRoundingBuiltin('floor', 'floor', 'n, scale?'),
  defineRoundingBuiltin('ceiling', 'ceiling', 'n, scale?'),
  defineRoundingBuiltin('round up', 'up'),
  defineRoundingBuiltin('round down', 'down'),
  defineRoundingBuiltin('round half up', 'half_up'),
  defineRoundingBuiltin('round half down', 'half_down'),
  defineBuiltin('abs', 'number', (_state, value) => absolute(value)),
  defineBuiltin('abs', 'n', (_state, value) => absolute(value)),
  defineBuiltin('modulo', 'dividend, divisor', (state, dividend, divisor) =>
    isNumber(dividend) && isNumber(divisor) ? modulo(state, dividend, divisor) : null,
  ),
  defineNumberBuiltin('sqrt', squareRoot),
  defineNumberBuiltin('log', logarithm),
  defineNumberBuiltin('exp', exponential),
  defineNumberBuiltin('odd', (state, value) => moduloTwo(state, value) === 1),
  defineNumberBuiltin('even', (state, value) => moduloTwo(state, value) === 0),
];
