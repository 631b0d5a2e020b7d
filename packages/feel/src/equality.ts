import { MAX_VALUE_DEPTH, type EvaluationState } from './budget.js';
import { FeelLimitError } from './errors.js';
import { compareNumbers, FeelDecimal, isNumber } from './numbers/decimal.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from './temporal/values.js';
import { getEntry, FeelRange, FeelValue, isContext, isList, getKeys, type FeelContextValue } from './values.js';

/**
 * Implements FEEL's `=`: null if the kinds differ, false if only one value is null (DMN 1.3, table 53, as Camunda
 * interprets it). Times and dates with times are equal only with the same offset and zone.
 */
export function equals(state: EvaluationState, left: unknown, right: unknown, depth = 0): boolean | null {
  if (left === null || right === null) return left === right;
  if (typeof left !== 'object' || typeof right !== 'object') {
    if (typeof left === typeof right) return left === right;
    // Each number has only one representation, so different representations are different numbers.
    return isNumber(left) && isNumber(right) ? false : null;
  }
  if (depth > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  state.chargeSteps(1);
  if (isList(left)) return isList(right) ? listsEqual(state, left, right, depth) : null;
  if (left instanceof FeelValue) return right instanceof FeelValue ? valuesEqual(state, left, right, depth) : null;
  return isContext(left) && isContext(right) ? contextsEqual(state, left, right, depth) : null;
}

function listsEqual(
  state: EvaluationState,
  left: readonly unknown[],
  right: readonly unknown[],
  depth: number,
): boolean {
  if (left.length !== right.length) return false;
  state.chargeSteps(left.length);
  return left.every((item, index) => equals(state, item, right[index], depth + 1) === true);
}

function contextsEqual(
  state: EvaluationState,
  left: FeelContextValue,
  right: FeelContextValue,
  depth: number,
): boolean {
  const keys = getKeys(left);
  state.chargeSteps(keys.length);
  if (keys.length !== getKeys(right).length) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && equals(state, getEntry(left, key), getEntry(right, key), depth + 1) === true,
  );
}

function valuesEqual(state: EvaluationState, left: FeelValue, right: FeelValue, depth: number): boolean | null {
  if (left instanceof FeelDecimal) return right instanceof FeelDecimal ? left.value.equals(right.value) : null;
  if (left instanceof FeelDate) return right instanceof FeelDate ? left.days === right.days : null;
  if (left instanceof DaysTimeDuration) return right instanceof DaysTimeDuration ? left.ms === right.ms : null;
  if (left instanceof YearsMonthsDuration)
    return right instanceof YearsMonthsDuration ? left.months === right.months : null;
  if (
    (left instanceof FeelDateTime && right instanceof FeelDateTime) ||
    (left instanceof FeelTime && right instanceof FeelTime)
  ) {
    if ((left.offset === null) !== (right.offset === null)) return null;
    return left.comparable === right.comparable && left.offset === right.offset && left.zone === right.zone;
  }
  if (left instanceof FeelRange && right instanceof FeelRange) {
    return (
      left.startIncluded === right.startIncluded &&
      left.endIncluded === right.endIncluded &&
      equals(state, left.start, right.start, depth + 1) === true &&
      equals(state, left.end, right.end, depth + 1) === true
    );
  }
  return null;
}

/**
 * Compares two values. Returns a negative number, zero or a positive number, or null if the values have no order
 * (different kinds, null, booleans, …).
 */
export function compareValues(left: unknown, right: unknown): number | null {
  if (isNumber(left)) return isNumber(right) ? compareNumbers(left, right) : null;
  if (typeof left === 'string') return typeof right === 'string' ? (left < right ? -1 : left > right ? 1 : 0) : null;
  if (left instanceof FeelDate) return right instanceof FeelDate ? left.days - right.days : null;
  if (
    (left instanceof FeelDateTime && right instanceof FeelDateTime) ||
    (left instanceof FeelTime && right instanceof FeelTime)
  ) {
    return (left.offset === null) === (right.offset === null) ? left.comparable - right.comparable : null;
  }
  if (left instanceof DaysTimeDuration) return right instanceof DaysTimeDuration ? left.ms - right.ms : null;
  if (left instanceof YearsMonthsDuration)
    return right instanceof YearsMonthsDuration ? left.months - right.months : null;
  return null;
}

/** Returns whether a range contains a value; null if they cannot be compared. */
export function rangeIncludes(range: FeelRange, value: unknown): boolean | null {
  const startDifference = compareValues(value, range.start);
  const endDifference = compareValues(value, range.end);
  if (startDifference === null || endDifference === null) return null;
  return (
    (range.startIncluded ? startDifference >= 0 : startDifference > 0) &&
    (range.endIncluded ? endDifference <= 0 : endDifference < 0)
  );
}

/** Returns whether a list contains a value, compared with FEEL's `=`. */
export function listIncludes(state: EvaluationState, list: readonly unknown[], value: unknown): boolean {
  state.chargeSteps(list.length / 4);
  for (const item of list) if (equals(state, item, value) === true) return true;
  return false;
}
