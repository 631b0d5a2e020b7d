import { decimal, finite } from '../values.js';
import { builtin, type Builtin } from './builtin.js';
import { DaysTimeDuration, YearsMonthsDuration } from '../temporal/values.js';

/** How a number that lies between two is rounded, by its distance from zero; the names are java.math's. */
type Rounding = 'up' | 'down' | 'ceiling' | 'floor' | 'half_up' | 'half_down' | 'half_even';

const MAX_SCALE = 300;

const ROUND: Readonly<Record<Rounding, (value: number) => number>> = {
  up: (value) => Math.sign(value) * Math.ceil(Math.abs(value)),
  down: Math.trunc,
  ceiling: Math.ceil,
  floor: Math.floor,
  half_up: (value) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5),
  half_down: (value) => Math.sign(value) * Math.ceil(Math.abs(value) - 0.5),
  half_even: (value) => {
    const low = Math.floor(value);
    const rest = value - low;
    if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
    return low % 2 === 0 ? low : low + 1;
  },
};

/** Rounds in decimal: the shift goes through the decimal text, so that 0.515 is what it says. */
function round(value: unknown, scale: unknown, rounding: Rounding): number | null {
  if (typeof value !== 'number' || typeof scale !== 'number') return null;
  const places = Math.trunc(scale);
  if (Math.abs(places) > MAX_SCALE) return null;
  const shifted = shift(value, places);
  if (Math.abs(shifted) >= Number.MAX_SAFE_INTEGER) return value;
  return finite(shift(ROUND[rounding](shifted), 0 - places));
}

function shift(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

function rounder(name: string, rounding: Rounding, signature = 'n, scale'): Builtin {
  return builtin(name, signature, (_run, value, scale) => round(value, scale ?? 0, rounding));
}

function ofNumber(name: string, call: (value: number) => unknown, signature = 'number'): Builtin {
  return builtin(name, signature, (_run, value) => (typeof value === 'number' ? call(value) : null));
}

function absolute(value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value);
  if (value instanceof DaysTimeDuration) return new DaysTimeDuration(Math.abs(value.ms));
  return value instanceof YearsMonthsDuration ? new YearsMonthsDuration(Math.abs(value.months)) : null;
}

function decimals(value: unknown, scale: unknown, mode: unknown): number | null {
  if (mode === undefined) return round(value, scale, 'half_even');
  const rounding = typeof mode === 'string' ? mode.toLowerCase() : '';
  return Object.hasOwn(ROUND, rounding) ? round(value, scale, rounding as Rounding) : null;
}

/** The remainder with the divisor's sign. */
function modulo(dividend: unknown, divisor: unknown): number | null {
  if (typeof dividend !== 'number' || typeof divisor !== 'number' || divisor === 0) return null;
  return decimal(dividend - divisor * Math.floor(dividend / divisor));
}

export const numberBuiltins: readonly Builtin[] = [
  builtin('decimal', 'n, scale, mode?', (_run, value, scale, mode) => decimals(value, scale, mode)),
  rounder('floor', 'floor', 'n, scale?'),
  rounder('ceiling', 'ceiling', 'n, scale?'),
  rounder('round up', 'up'),
  rounder('round down', 'down'),
  rounder('round half up', 'half_up'),
  rounder('round half down', 'half_down'),
  builtin('abs', 'number', (_run, value) => absolute(value)),
  builtin('abs', 'n', (_run, value) => absolute(value)),
  builtin('modulo', 'dividend, divisor', (_run, dividend, divisor) => modulo(dividend, divisor)),
  ofNumber('sqrt', (value) => finite(Math.sqrt(value))),
  ofNumber('log', (value) => finite(Math.log(value))),
  ofNumber('exp', (value) => finite(Math.exp(value))),
  ofNumber('odd', (value) => Math.abs(value % 2) === 1),
  ofNumber('even', (value) => value % 2 === 0),
];
