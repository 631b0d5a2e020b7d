import type { EvaluationState } from '../budget.js';
import { equals } from '../equality.js';
import { FeelAssertionError } from '../errors.js';
import { isNumber, parseDecimal, getWholePart, type FeelNumber } from '../numbers/decimal.js';
import { formatTemporalForJson } from '../temporal/format.js';
import { DaysTimeDuration, YearsMonthsDuration } from '../temporal/values.js';
import { toText } from '../to-json.js';
import { getKind } from '../values.js';
import { defineBuiltin, type Builtin } from './builtin.js';

const NUMBER_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const MAX_NUMBER_LENGTH = 400;

/**
 * Parses a number, for example `number("1 000,50", " ", ",")`: removes the grouping separator and replaces the decimal
 * separator with a point.
 */
function parseNumber(state: EvaluationState, from: unknown, grouping: unknown, decimal: unknown): FeelNumber | null {
  if (typeof from !== 'string' || from.length > MAX_NUMBER_LENGTH) return null;
  if (
    !isSeparator(grouping, [' ', ',', '.']) ||
    !isSeparator(decimal, ['.', ',']) ||
    (typeof decimal === 'string' && grouping === decimal)
  )
    return null;
  state.chargeScan(from.length);
  let text = typeof grouping === 'string' ? from.split(grouping).join('') : from;
  if (typeof decimal === 'string') text = text.split(decimal).join('.');
  return NUMBER_PATTERN.test(text) ? parseDecimal(text) : null;
}

function isSeparator(value: unknown, allowed: readonly string[]): boolean {
  return value === undefined || value === null || (typeof value === 'string' && allowed.includes(value));
}

/**
 * Returns the repeating interval of a timer, such as `R3/PT10H`, as `cycle` does in Zeebe. If `repetitions` is null,
 * the timer repeats without limit.
 */
function formatCycle(repetitions: unknown, interval: unknown): string | null {
  if (!(interval instanceof DaysTimeDuration || interval instanceof YearsMonthsDuration)) return null;
  if (repetitions !== null && !isNumber(repetitions)) return null;
  const count = repetitions === null ? '' : getWholePart(repetitions);
  if (count !== '' && !Number.isSafeInteger(count)) return null;
  return `R${count}/${formatTemporalForJson(interval) ?? ''}`;
}

function assertCondition(value: unknown, condition: unknown, cause: unknown): unknown {
  if (condition === true) return value;
  throw new FeelAssertionError(typeof cause === 'string' ? cause : 'The condition is not fulfilled');
}

export const conversionBuiltins: readonly Builtin[] = [
  defineBuiltin('string', 'from', toText),
  defineBuiltin('number', 'from, grouping separator?, decimal separator?', parseNumber),
  defineBuiltin('not', 'negand', (_state, value) => (typeof value === 'boolean' ? !value : null)),
  defineBuiltin('is defined', 'value', (_state, value) => value !== null),
  defineBuiltin('get or else', 'value, default', (_state, value, defaultValue) => value ?? defaultValue ?? null),
  defineBuiltin(
    'assert',
    'value, condition, cause?',
    (_state, value, condition, cause) => assertCondition(value, condition, cause),
    {
      pure: false,
    },
  ),
  defineBuiltin(
    'is',
    'value1, value2',
    (state, left, right) => getKind(left) === getKind(right) && equals(state, left, right) === true,
  ),
  defineBuiltin('cycle', 'interval', (_state, interval) => formatCycle(null, interval)),
  defineBuiltin('cycle', 'repetitions, interval', (_state, repetitions, interval) =>
    formatCycle(repetitions, interval),
  ),
];
