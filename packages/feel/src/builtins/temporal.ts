import {
  DAY_MS,
  toCivilDate,
  getDayOfYear,
  getDaysInMonth,
  toEpochDays,
  isValidZone,
  getWeekday,
  getWeekOfYear,
  ZONE_STEPS,
} from '../temporal/calendar.js';
import { multiply } from '../numbers/arithmetic.js';
import { compareNumbers, isNumber, getWholePart, type FeelNumber } from '../numbers/decimal.js';
import { joinDateTime, parseDate, parseDateTime, parseDuration, parseTime } from '../temporal/parse.js';
import {
  fromInstant,
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  toZonedDateTime,
  YearsMonthsDuration,
} from '../temporal/values.js';
import type { EvaluationState } from '../budget.js';
import { defineBuiltin, type Builtin, type BuiltinCall } from './builtin.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function now(state: EvaluationState): FeelDateTime {
  if (state.zone === 'UTC') return new FeelDateTime(state.now, 0, null);
  state.chargeSteps(ZONE_STEPS);
  return fromInstant(state.now, state.zone);
}

function toDate(from: unknown): FeelDate | null {
  if (typeof from === 'string') return parseDate(from);
  if (from instanceof FeelDateTime) return new FeelDate(from.days);
  return from instanceof FeelDate ? from : null;
}

function createDate(year: unknown, month: unknown, day: unknown): FeelDate | null {
  if (!isNumber(year) || !isNumber(month) || !isNumber(day)) return null;
  const days = toEpochDays(getWholePart(year), getWholePart(month), getWholePart(day));
  return days === null ? null : new FeelDate(days);
}

function toTime(from: unknown): FeelTime | null {
  if (typeof from === 'string') return parseTime(from);
  if (from instanceof FeelDateTime) return new FeelTime(from.ms, from.offset, from.zone);
  if (from instanceof FeelDate) return new FeelTime(0, 0, null);
  return from instanceof FeelTime ? from : null;
}

function createTime(hours: unknown, minutes: unknown, seconds: unknown, offset: unknown): FeelTime | null {
  if (!isNumber(hours) || !isNumber(minutes) || !isNumber(seconds)) return null;
  if (!isWithin(hours, 24) || !isWithin(minutes, 60) || !isWithin(seconds, 60)) return null;
  if (offset !== undefined && offset !== null && !(offset instanceof DaysTimeDuration)) return null;
  const ms = (getWholePart(hours) * 60 + getWholePart(minutes)) * 60_000 + getWholePart(multiply(seconds, 1_000) ?? 0);
  return new FeelTime(ms, offset instanceof DaysTimeDuration ? offset.ms : null, null);
}

/** Returns whether a number is at least zero and less than a bound. */
function isWithin(value: FeelNumber, bound: number): boolean {
  return compareNumbers(value, 0) >= 0 && compareNumbers(value, bound) < 0;
}

function toDateTime(from: unknown): FeelDateTime | null {
  if (typeof from === 'string') return parseDateTime(from);
  return from instanceof FeelDateTime ? from : null;
}

function createDateTime(date: unknown, timeOrZone: unknown): FeelDateTime | null {
  if (typeof timeOrZone === 'string' && date instanceof FeelDateTime) return toZone(date, timeOrZone);
  if (!(timeOrZone instanceof FeelTime)) return null;
  return date instanceof FeelDate || date instanceof FeelDateTime ? joinDateTime(date.days, timeOrZone) : null;
}

/** Returns the same instant in another zone. A local value keeps its wall-clock time. */
function toZone(value: FeelDateTime, zone: string): FeelDateTime | null {
  if (!isValidZone(zone)) return null;
  return value.offset === null ? toZonedDateTime(value.local, zone) : fromInstant(value.comparable, zone);
}

function toDuration(from: unknown): unknown {
  if (typeof from === 'string') return parseDuration(from);
  return from instanceof DaysTimeDuration || from instanceof YearsMonthsDuration ? from : null;
}

function yearsMonthsBetween(from: unknown, to: unknown): YearsMonthsDuration | null {
  const [start, end] = [getDays(from), getDays(to)];
  if (start === null || end === null) return null;
  const [a, b] = [toCivilDate(start), toCivilDate(end)];
  const months = (b.year - a.year) * 12 + (b.month - a.month);
  if (months > 0 && b.day < a.day) return new YearsMonthsDuration(months - 1);
  return new YearsMonthsDuration(months < 0 && b.day > a.day ? months + 1 : months);
}

function getDays(value: unknown): number | null {
  return value instanceof FeelDate || value instanceof FeelDateTime ? value.days : null;
}

function defineDateBuiltin(name: string, call: (days: number) => unknown): Builtin {
  return defineBuiltin(name, 'date', (_state, value) => {
    const days = getDays(value);
    return days === null ? null : call(days);
  });
}

function lastDayOfMonth(days: number): FeelDate {
  const { year, month, day } = toCivilDate(days);
  return new FeelDate(days - day + getDaysInMonth(year, month));
}

/** Wraps a function that does not need the evaluation state, and charges steps if its arguments contain named zones. */
const withoutState =
  (call: (...args: readonly unknown[]) => unknown): BuiltinCall =>
  (state, ...args) => {
    if (typeof args[1] === 'string' || args.some(usesZone)) state.chargeSteps(ZONE_STEPS);
    return call(...args);
  };

function usesZone(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('@');
  return (value instanceof FeelTime || value instanceof FeelDateTime) && value.zone !== null;
}

export const temporalBuiltins: readonly Builtin[] = [
  defineBuiltin('now', '', now, { pure: false }),
  defineBuiltin('today', '', (state) => new FeelDate(Math.floor(now(state).local / DAY_MS)), { pure: false }),
  defineBuiltin('date', 'from', withoutState(toDate)),
  defineBuiltin('date', 'year, month, day', withoutState(createDate)),
  defineBuiltin('time', 'from', withoutState(toTime)),
  defineBuiltin('time', 'hour, minute, second, offset?', withoutState(createTime)),
  defineBuiltin('date and time', 'from', withoutState(toDateTime)),
  defineBuiltin('date and time', 'date, time', withoutState(createDateTime)),
  defineBuiltin('date and time', 'date, timezone', withoutState(createDateTime)),
  defineBuiltin('duration', 'from', withoutState(toDuration)),
  defineBuiltin('years and months duration', 'from, to', withoutState(yearsMonthsBetween)),
  defineDateBuiltin('day of year', getDayOfYear),
  defineDateBuiltin('day of week', (days) => WEEKDAYS[getWeekday(days) - 1] ?? null),
  defineDateBuiltin('month of year', (days) => MONTHS[toCivilDate(days).month - 1] ?? null),
  defineDateBuiltin('week of year', getWeekOfYear),
  defineDateBuiltin('last day of month', lastDayOfMonth),
];
