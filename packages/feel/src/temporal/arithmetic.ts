import { divide } from '../numbers/arithmetic.js';
import { isNumber, getWholePart, type FeelNumber } from '../numbers/decimal.js';
import { DAY_MS, isInRange, addMonthsToDays } from './calendar.js';
import {
  fromInstant,
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  toZonedDateTime,
  YearsMonthsDuration,
} from './values.js';

/** Maximum duration in computations, in milliseconds: the length of the representable time range. */
const MAX_MS = 200_000_000 * DAY_MS;
const MAX_MONTHS = 1e8;

/** Returns `left + right` if one of them is temporal; null if it is not defined. */
export function addTemporal(left: unknown, right: unknown): unknown {
  if (left instanceof DaysTimeDuration) {
    if (right instanceof DaysTimeDuration) return toDaysTimeDuration(left.ms + right.ms);
    return right instanceof YearsMonthsDuration ? null : addMs(right, left.ms);
  }
  if (left instanceof YearsMonthsDuration) {
    if (right instanceof YearsMonthsDuration) return toYearsMonthsDuration(left.months + right.months);
    return addMonths(right, left.months);
  }
  if (right instanceof DaysTimeDuration) return addMs(left, right.ms);
  if (right instanceof YearsMonthsDuration) return addMonths(left, right.months);
  return null;
}

/** Returns `left - right` if one of them is temporal. */
export function subtractTemporal(left: unknown, right: unknown): unknown {
  if (right instanceof DaysTimeDuration) {
    return left instanceof DaysTimeDuration ? toDaysTimeDuration(left.ms - right.ms) : addMs(left, 0 - right.ms);
  }
  if (right instanceof YearsMonthsDuration) {
    return left instanceof YearsMonthsDuration
      ? toYearsMonthsDuration(left.months - right.months)
      : addMonths(left, 0 - right.months);
  }
  if (left instanceof FeelDate && right instanceof FeelDate)
    return toDaysTimeDuration((left.days - right.days) * DAY_MS);
  if (
    (left instanceof FeelTime && right instanceof FeelTime) ||
    (left instanceof FeelDateTime && right instanceof FeelDateTime)
  ) {
    return (left.offset === null) === (right.offset === null)
      ? toDaysTimeDuration(left.comparable - right.comparable)
      : null;
  }
  return null;
}

/** Multiplies a duration by a number. As in Zeebe 8.6, only the whole part of the number is used. */
export function multiplyTemporal(left: unknown, right: unknown): unknown {
  if (isNumber(left)) return isNumber(right) ? null : multiplyTemporal(right, left);
  if (!isNumber(right)) return null;
  if (left instanceof DaysTimeDuration) return toDaysTimeDuration(multiplyAmount(left.ms, right));
  return left instanceof YearsMonthsDuration ? toYearsMonthsDuration(multiplyAmount(left.months, right)) : null;
}

/**
 * Multiplies the amount of a duration by the whole part of a factor. A zero duration stays zero, even if the factor is
 * too large for a double.
 */
function multiplyAmount(amount: number, factor: FeelNumber): number {
  return amount === 0 ? 0 : amount * getWholePart(factor);
}

/** Divides a duration by the whole part of a number, or by a duration of the same kind. */
export function divideTemporal(left: unknown, right: unknown): unknown {
  if (left instanceof DaysTimeDuration) {
    if (right instanceof DaysTimeDuration) return divide(left.ms, right.ms);
    if (isNumber(right)) return toDaysTimeDuration(Math.trunc(left.ms / getWholePart(right)));
  }
  if (left instanceof YearsMonthsDuration) {
    if (right instanceof YearsMonthsDuration) return divide(left.months, right.months);
    if (isNumber(right)) return toYearsMonthsDuration(Math.trunc(left.months / getWholePart(right)));
  }
  return null;
}

function toDaysTimeDuration(ms: number): DaysTimeDuration | null {
  return Math.abs(ms) <= MAX_MS ? new DaysTimeDuration(ms + 0) : null;
}

function toYearsMonthsDuration(months: number): YearsMonthsDuration | null {
  return Math.abs(months) <= MAX_MONTHS ? new YearsMonthsDuration(months + 0) : null;
}

/**
 * Adds a duration of days and time. For a date and time with a zone, the duration is elapsed time. If the value is a
 * date, the result is rounded down to a whole day.
 */
function addMs(value: unknown, ms: number): unknown {
  if (value instanceof FeelDate) {
    const days = Math.floor((value.days * DAY_MS + ms) / DAY_MS);
    return isInRange(days) ? new FeelDate(days) : null;
  }
  if (value instanceof FeelTime) {
    return new FeelTime((((value.ms + ms) % DAY_MS) + DAY_MS) % DAY_MS, value.offset, value.zone);
  }
  if (value instanceof FeelDateTime) {
    if (!isInRange((value.local + ms) / DAY_MS)) return null;
    if (value.zone !== null) return fromInstant(value.comparable + ms, value.zone);
    return new FeelDateTime(value.local + ms, value.offset, null);
  }
  return null;
}

/** Adds calendar months. */
function addMonths(value: unknown, months: number): unknown {
  if (value instanceof FeelDate) {
    const days = addMonthsToDays(value.days, months);
    return days === null ? null : new FeelDate(days);
  }
  if (value instanceof FeelDateTime) {
    const days = addMonthsToDays(value.days, months);
    if (days === null) return null;
    const local = days * DAY_MS + value.ms;
    return value.zone === null ? new FeelDateTime(local, value.offset, null) : toZonedDateTime(local, value.zone);
  }
  return null;
}
