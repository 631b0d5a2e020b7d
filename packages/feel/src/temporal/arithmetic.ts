import { divide } from '../numbers/arithmetic.js';
import { isNumber, wholePart, type FeelNumber } from '../numbers/decimal.js';
import { DAY, inRange, plusMonths } from './calendar.js';
import {
  atInstant,
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  inZone,
  YearsMonthsDuration,
} from './values.js';

/** Maximum duration in computations, in milliseconds: the whole representable time. */
const MAX_MS = 200_000_000 * DAY;
const MAX_MONTHS = 1e8;

/** Returns `left + right` if one of them is temporal; null if it is not defined. */
export function addTemporal(left: unknown, right: unknown): unknown {
  if (left instanceof DaysTimeDuration) {
    if (right instanceof DaysTimeDuration) return daysTime(left.ms + right.ms);
    return right instanceof YearsMonthsDuration ? null : plusMs(right, left.ms);
  }
  if (left instanceof YearsMonthsDuration) {
    if (right instanceof YearsMonthsDuration) return yearsMonths(left.months + right.months);
    return plus(right, left.months);
  }
  if (right instanceof DaysTimeDuration) return plusMs(left, right.ms);
  if (right instanceof YearsMonthsDuration) return plus(left, right.months);
  return null;
}

/** Returns `left - right` if one of them is temporal. */
export function subtractTemporal(left: unknown, right: unknown): unknown {
  if (right instanceof DaysTimeDuration) {
    return left instanceof DaysTimeDuration ? daysTime(left.ms - right.ms) : plusMs(left, 0 - right.ms);
  }
  if (right instanceof YearsMonthsDuration) {
    return left instanceof YearsMonthsDuration ? yearsMonths(left.months - right.months) : plus(left, 0 - right.months);
  }
  if (left instanceof FeelDate && right instanceof FeelDate) return daysTime((left.days - right.days) * DAY);
  if (
    (left instanceof FeelTime && right instanceof FeelTime) ||
    (left instanceof FeelDateTime && right instanceof FeelDateTime)
  ) {
    return (left.offset === null) === (right.offset === null) ? daysTime(left.comparable - right.comparable) : null;
  }
  return null;
}

/** Multiplies a duration by a number. As in Zeebe 8.6, only the whole part of the number counts. */
export function multiplyTemporal(left: unknown, right: unknown): unknown {
  if (isNumber(left)) return isNumber(right) ? null : multiplyTemporal(right, left);
  if (!isNumber(right)) return null;
  if (left instanceof DaysTimeDuration) return daysTime(times(left.ms, right));
  return left instanceof YearsMonthsDuration ? yearsMonths(times(left.months, right)) : null;
}

/** Multiplies an amount. A zero duration stays zero, even if the factor is too large for a double. */
function times(amount: number, factor: FeelNumber): number {
  return amount === 0 ? 0 : amount * wholePart(factor);
}

/** Divides a duration by a number (its whole part), or by a duration of the same kind. */
export function divideTemporal(left: unknown, right: unknown): unknown {
  if (left instanceof DaysTimeDuration) {
    if (right instanceof DaysTimeDuration) return divide(left.ms, right.ms);
    if (isNumber(right)) return daysTime(Math.trunc(left.ms / wholePart(right)));
  }
  if (left instanceof YearsMonthsDuration) {
    if (right instanceof YearsMonthsDuration) return divide(left.months, right.months);
    if (isNumber(right)) return yearsMonths(Math.trunc(left.months / wholePart(right)));
  }
  return null;
}

function daysTime(ms: number): DaysTimeDuration | null {
  return Math.abs(ms) <= MAX_MS ? new DaysTimeDuration(ms + 0) : null;
}

function yearsMonths(months: number): YearsMonthsDuration | null {
  return Math.abs(months) <= MAX_MONTHS ? new YearsMonthsDuration(months + 0) : null;
}

/** Adds a duration of days and time. With a zone it is elapsed time; a date keeps whole days. */
function plusMs(value: unknown, ms: number): unknown {
  if (value instanceof FeelDate) {
    const days = Math.floor((value.days * DAY + ms) / DAY);
    return inRange(days) ? new FeelDate(days) : null;
  }
  if (value instanceof FeelTime) {
    return new FeelTime((((value.ms + ms) % DAY) + DAY) % DAY, value.offset, value.zone);
  }
  if (value instanceof FeelDateTime) {
    if (!inRange((value.local + ms) / DAY)) return null;
    if (value.zone !== null) return atInstant(value.comparable + ms, value.zone);
    return new FeelDateTime(value.local + ms, value.offset, null);
  }
  return null;
}

/** Adds calendar months. */
function plus(value: unknown, months: number): unknown {
  if (value instanceof FeelDate) {
    const days = plusMonths(value.days, months);
    return days === null ? null : new FeelDate(days);
  }
  if (value instanceof FeelDateTime) {
    const days = plusMonths(value.days, months);
    if (days === null) return null;
    const local = days * DAY + value.ms;
    return value.zone === null ? new FeelDateTime(local, value.offset, null) : inZone(local, value.zone);
  }
  return null;
}
