import { MAX_VALUE_DEPTH, type Run } from './budget.js';
import { FeelLimitError } from './errors.js';
import { compareNumbers, FeelDecimal, isNumber } from './numbers/decimal.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from './temporal/values.js';
import { getEntry, FeelRange, FeelValue, isContext, isList, getKeys, type FeelContextValue } from './values.js';

/**
 * Implements FEEL's `=`: null if the kinds differ, false if only one value is null (DMN 1.3, table 53, as Camunda
 * interprets it). Times and dates with times are equal only with the same offset and zone.
 */
export function equals(run: Run, left: unknown, right: unknown, depth = 0): boolean | null {
  if (left === null || right === null) return left === right;
  if (typeof left !== 'object' || typeof right !== 'object') {
    if (typeof left === typeof right) return left === right;
    // Each number has only one representation, so different representations are different numbers.
    return isNumber(left) && isNumber(right) ? false : null;
  }
  if (depth > MAX_VALUE_DEPTH) throw new FeelLimitError('nesting', MAX_VALUE_DEPTH);
  run.chargeSteps(1);
  if (isList(left)) return isList(right) ? listsEqual(run, left, right, depth) : null;
  if (left instanceof FeelValue) return right instanceof FeelValue ? valuesEqual(run, left, right, depth) : null;
  return isContext(left) && isContext(right) ? contextsEqual(run, left, right, depth) : null;
}

function listsEqual(run: Run, left: readonly unknown[], right: readonly unknown[], depth: number): boolean {
  if (left.length !== right.length) return false;
  run.chargeSteps(left.length);
  return left.every((item, index) => equals(run, item, right[index], depth + 1) === true);
}

function contextsEqual(run: Run, left: FeelContextValue, right: FeelContextValue, depth: number): boolean {
  const keys = getKeys(left);
  run.chargeSteps(keys.length);
  if (keys.length !== getKeys(right).length) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && equals(run, getEntry(left, key), getEntry(right, key), depth + 1) === true,
  );
}

function valuesEqual(run: Run, left: FeelValue, right: FeelValue, depth: number): boolean | null {
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
      equals(run, left.start, right.start, depth + 1) === true &&
      equals(run, left.end, right.end, depth + 1) === true
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
  const fromStart = compareValues(value, range.start);
  const toEnd = compareValues(value, range.end);
  if (fromStart === null || toEnd === null) return null;
  return (range.startIncluded ? fromStart >= 0 : fromStart > 0) && (range.endIncluded ? toEnd <= 0 : toEnd < 0);
}

/** Returns whether a list contains a value, compared with FEEL's `=`. */
export function listIncludes(run: Run, list: readonly unknown[], value: unknown): boolean {
  run.chargeSteps(list.length / 4);
  for (const item of list) if (equals(run, item, value) === true) return true;
  return false;
}
