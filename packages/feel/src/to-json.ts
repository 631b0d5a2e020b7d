import { MAX_VALUE_DEPTH, type EvaluationState } from './budget.js';
import { FeelLimitError, FeelNumberError, FeelStringError } from './errors.js';
import { Decimal128, FeelDecimal, isNumber, toNearestDouble, formatNumber } from './numbers/decimal.js';
import { formatTemporalForJson, formatTemporal } from './temporal/format.js';
import { FeelFunction, FeelRange, FeelValue, getKeys, type FeelContextValue, type Json } from './values.js';

/** Handling of a number that JSON cannot represent exactly: an error, or conversion to a string. */
type InexactNumberHandling = 'refuse' | 'text';

/** Cost of a list or context in addition to its elements. */
const CONTAINER_SIZE = 4;

/**
 * Converts a result to a variable: temporal values become strings in Zeebe's format; functions and ranges become null,
 * as in Zeebe. Lists and contexts are copied and charged node by node, because a value may contain the same part many
 * times.
 *
 * @throws {FeelStringError} if a string cannot be stored
 * @throws {FeelNumberError} if JSON would contain a different number
 */
export function toJson(
  state: EvaluationState,
  value: unknown,
  depth = 0,
  inexact: InexactNumberHandling = 'refuse',
): Json {
  switch (typeof value) {
    case 'string':
      if (depth > 0) state.chargeSize(value.length);
      return requireStorableString(value);
    case 'number':
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return null;
  }
  if (value === null) return null;
  if (value instanceof FeelDecimal) return toJsonNumber(value, inexact);
  if (value instanceof FeelValue) return formatTemporalForJson(value) ?? null;
  if (depth > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  if (Array.isArray(value)) {
    state.chargeSize(value.length + CONTAINER_SIZE);
    return value.map((item: unknown) => toJson(state, item, depth + 1, inexact));
  }
  return contextToJson(state, value as FeelContextValue, depth, inexact);
}

function contextToJson(
  state: EvaluationState,
  value: FeelContextValue,
  depth: number,
  inexact: InexactNumberHandling,
): Json {
  const keys = getKeys(value);
  state.chargeSize(keys.length + CONTAINER_SIZE);
  const result: Record<string, Json> = {};
  for (const key of keys) {
    state.chargeSize(key.length);
    result[requireStorableString(key)] = toJson(state, value[key], depth + 1, inexact);
  }
  return result;
}

/** The smallest number with the full precision of a double (IEEE 754, binary64). */
const MIN_NORMAL = 2 ** -1022;

/**
 * Converts a decimal to a JSON number, which is a double (RFC 8259, section 6; RFC 7493, section 2.2). A fraction is
 * rounded to the nearest double, because every quotient is rounded anyway, and so is a number with more than 34 digits
 * before the decimal point. Any other whole number must be exact.
 *
 * @throws {FeelNumberError} if a whole number is not a double, or if the number is too large or too small for one
 */
function toJsonNumber(number: FeelDecimal, inexact: InexactNumberHandling): number | string {
  const { value } = number;
  const double = toNearestDouble(value);
  const isWhole = value.isInteger() && value.e < Decimal128.precision;
  if (!isWhole && Number.isFinite(double) && Math.abs(double) >= MIN_NORMAL) return double;
  if (inexact === 'text') return formatNumber(number);
  throw new FeelNumberError(value.toString());
}

/**
 * Returns the string unchanged.
 *
 * @throws {FeelStringError} if it cannot be stored or hashed
 */
function requireStorableString(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw new FeelStringError(text);
  return text;
}

/** Converts a value to a string as `string()` does; null stays null. */
export function toText(state: EvaluationState, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return formatNested(state, value, 0);
}

function formatNested(state: EvaluationState, value: unknown, depth: number): string {
  if (depth > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  state.chargeSteps(1);
  const text = formatUncharged(state, value, depth);
  state.chargeSize(text.length);
  return text;
}

function formatUncharged(state: EvaluationState, value: unknown, depth: number): string {
  if (isNumber(value)) return formatNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value !== 'object' || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map((item: unknown) => formatNested(state, item, depth + 1)).join(', ')}]`;
  if (value instanceof FeelRange) {
    const [start, end] = [formatNested(state, value.start, depth + 1), formatNested(state, value.end, depth + 1)];
    return `${value.startIncluded ? '[' : '('}${start}..${end}${value.endIncluded ? ']' : ')'}`;
  }
  if (value instanceof FeelFunction) return `function(${value.parameters.join(', ')})`;
  if (value instanceof FeelValue) return formatTemporal(value) ?? 'null';
  const context = value as FeelContextValue;
  return `{${getKeys(context)
    .map((key) => `${key}:${formatNested(state, context[key], depth + 1)}`)
    .join(', ')}}`;
}
