import {
  DAY,
  civilOf,
  dayOfYear,
  daysInMonth,
  daysOf,
  isZone,
  weekdayOf,
  weekOfYear,
  ZONE_STEPS,
} from '../temporal/calendar.js';
import { multiply } from '../numbers/arithmetic.js';
import { compareNumbers, isNumber, wholePart, type FeelNumber } from '../numbers/decimal.js';
import { joinDateTime, parseDate, parseDateTime, parseDuration, parseTime } from '../temporal/parse.js';
import {
  atInstant,
  DaysTimeDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  inZone,
  YearsMonthsDuration,
} from '../temporal/values.js';
import type { Run } from '../budget.js';
import { builtin, type Builtin, type BuiltinCall } from './builtin.js';

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

function now(run: Run): FeelDateTime {
  if (run.zone === 'UTC') return new FeelDateTime(run.now, 0, null);
  run.step(ZONE_STEPS);
  return atInstant(run.now, run.zone);
}

function date(from: unknown): FeelDate | null {
  if (typeof from === 'string') return parseDate(from);
  if (from instanceof FeelDateTime) return new FeelDate(from.days);
  return from instanceof FeelDate ? from : null;
}

function dateOf(year: unknown, month: unknown, day: unknown): FeelDate | null {
  if (!isNumber(year) || !isNumber(month) || !isNumber(day)) return null;
  const days = daysOf(wholePart(year), wholePart(month), wholePart(day));
  return days === null ? null : new FeelDate(days);
}

function time(from: unknown): FeelTime | null {
  if (typeof from === 'string') return parseTime(from);
  if (from instanceof FeelDateTime) return new FeelTime(from.ms, from.offset, from.zone);
  if (from instanceof FeelDate) return new FeelTime(0, 0, null);
  return from instanceof FeelTime ? from : null;
}

function timeOf(hours: unknown, minutes: unknown, seconds: unknown, offset: unknown): FeelTime | null {
  if (!isNumber(hours) || !isNumber(minutes) || !isNumber(seconds)) return null;
  if (!isBelow(hours, 24) || !isBelow(minutes, 60) || !isBelow(seconds, 60)) return null;
  if (offset !== undefined && offset !== null && !(offset instanceof DaysTimeDuration)) return null;
  const ms = (wholePart(hours) * 60 + wholePart(minutes)) * 60_000 + wholePart(multiply(seconds, 1_000) ?? 0);
  return new FeelTime(ms, offset instanceof DaysTimeDuration ? offset.ms : null, null);
}

/** Returns whether a number is at least zero and less than a bound. */
function isBelow(value: FeelNumber, bound: number): boolean {
  return compareNumbers(value, 0) >= 0 && compareNumbers(value, bound) < 0;
}

function dateTime(from: unknown): FeelDateTime | null {
  if (typeof from === 'string') return parseDateTime(from);
  return from instanceof FeelDateTime ? from : null;
}

function dateTimeOf(day: unknown, at: unknown): FeelDateTime | null {
  if (typeof at === 'string' && day instanceof FeelDateTime) return toZone(day, at);
  if (!(at instanceof FeelTime)) return null;
  return day instanceof FeelDate || day instanceof FeelDateTime ? joinDateTime(day.days, at) : null;
}

/** Returns the same instant in another zone. A local value keeps its wall-clock time. */
function toZone(value: FeelDateTime, zone: string): FeelDateTime | null {
  if (!isZone(zone)) return null;
  return value.offset === null ? inZone(value.local, zone) : atInstant(value.comparable, zone);
}

function duration(from: unknown): unknown {
  if (typeof from === 'string') return parseDuration(from);
  return from instanceof DaysTimeDuration || from instanceof YearsMonthsDuration ? from : null;
}

function yearsMonths(from: unknown, to: unknown): YearsMonthsDuration | null {
  const [start, end] = [daysFrom(from), daysFrom(to)];
  if (start === null || end === null) return null;
  const [a, b] = [civilOf(start), civilOf(end)];
  const months = (b.year - a.year) * 12 + (b.month - a.month);
  if (months > 0 && b.day < a.day) return new YearsMonthsDuration(months - 1);
  return new YearsMonthsDuration(months < 0 && b.day > a.day ? months + 1 : months);
}

function daysFrom(value: unknown): number | null {
  return value instanceof FeelDate || value instanceof FeelDateTime ? value.days : null;
}

function ofDay(name: string, call: (days: number) => unknown): Builtin {
  return builtin(name, 'date', (_run, value) => {
    const days = daysFrom(value);
    return days === null ? null : call(days);
  });
}

function lastDay(days: number): FeelDate {
  const { year, month, day } = civilOf(days);
  return new FeelDate(days - day + daysInMonth(year, month));
}

/** Wraps a function that does not need the run, and pays for named zones among its arguments. */
const without =
  (call: (...args: readonly unknown[]) => unknown): BuiltinCall =>
  (run, ...args) => {
    if (typeof args[1] === 'string' || args.some(namesZone)) run.step(ZONE_STEPS);
    return call(...args);
  };

function namesZone(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('@');
  return (value instanceof FeelTime || value instanceof FeelDateTime) && value.zone !== null;
}

export const temporalBuiltins: readonly Builtin[] = [
  builtin('now', '', now, { pure: false }),
  builtin('today', '', (run) => new FeelDate(Math.floor(now(run).local / DAY)), { pure: false }),
  builtin('date', 'from', without(date)),
  builtin('date', 'year, month, day', without(dateOf)),
  builtin('time', 'from', without(time)),
  builtin('time', 'hour, minute, second, offset?', without(timeOf)),
  builtin('date and time', 'from', without(dateTime)),
  builtin('date and time', 'date, time', without(dateTimeOf)),
  builtin('date and time', 'date, timezone', without(dateTimeOf)),
  builtin('duration', 'from', without(duration)),
  builtin('years and months duration', 'from, to', without(yearsMonths)),
  ofDay('day of year', dayOfYear),
  ofDay('day of week', (days) => WEEKDAYS[weekdayOf(days) - 1] ?? null),
  ofDay('month of year', (days) => MONTHS[civilOf(days).month - 1] ?? null),
  ofDay('week of year', weekOfYear),
  ofDay('last day of month', lastDay),
];
