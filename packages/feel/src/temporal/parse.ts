import type { FeelValue } from '../values.js';
import { DAY_MS, toEpochDays, HOUR_MS, isValidZone, MINUTE_MS, getZoneOffset, SECOND_MS } from './calendar.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, toZonedDateTime, YearsMonthsDuration } from './values.js';

const DATE_PATTERN = /^([+-]?\d{4,6})-(\d\d)-(\d\d)$/;
const TIME_PATTERN = /^T?(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d(?::?\d\d)?|@[\w/+-]{1,64})?$/;
const OFFSET_PATTERN = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/;
const DAYS_TIME_PATTERN =
  /^(-?)P(?:(-?\d{1,9})D)?(T(?=-?\d)(?:(-?\d{1,9})H)?(?:(-?\d{1,9})M)?(?:(-?\d{1,12}(?:\.\d{1,9})?)S)?)?$/;
const YEARS_MONTHS_PATTERN = /^(-?)P(?:(-?\d{1,9})Y)?(?:(-?\d{1,9})M)?$/;

/** Maximum length of a text to parse. */
const MAX_TEXT_LENGTH = 128;

/** Parses `2020-12-31`. Returns null if the text is not a date. */
export function parseDate(text: string): FeelDate | null {
  const match = text.length <= MAX_TEXT_LENGTH ? DATE_PATTERN.exec(text) : null;
  const days = match && toEpochDays(Number(match[1]), Number(match[2]), Number(match[3]));
  return days === null ? null : new FeelDate(days);
}

/** Parses `10:30:00`, with `Z`, `+02:00` or `@Europe/Paris`. Fractions beyond milliseconds are truncated. */
export function parseTime(text: string): FeelTime | null {
  const match = text.length <= MAX_TEXT_LENGTH ? TIME_PATTERN.exec(text) : null;
  if (!match) return null;
  const [, hour, minute, second = '0', fraction = '', suffix] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  const ms = Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS + millis;
  if (suffix === undefined) return new FeelTime(ms, null, null);
  if (suffix.startsWith('@')) {
    const zone = suffix.slice(1);
    return isValidZone(zone) ? new FeelTime(ms, getZoneOffset(zone, 0), zone) : null;
  }
  const offset = parseOffset(suffix);
  return offset === null ? null : new FeelTime(ms, offset, null);
}

function parseOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const match = OFFSET_PATTERN.exec(text);
  if (!match) return null;
  const offset = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS + Number(match[4] ?? '0') * SECOND_MS;
  if (offset > 18 * HOUR_MS || Number(match[3]) > 59) return null;
  return match[1] === '-' ? 0 - offset : offset;
}

/** Parses a date and a time joined by `T`, or only a date, which means midnight. */
export function parseDateTime(text: string): FeelDateTime | null {
  const separatorIndex = text.indexOf('T');
  if (separatorIndex === -1) {
    const date = parseDate(text);
    return date && new FeelDateTime(date.days * DAY_MS, null, null);
  }
  const date = parseDate(text.slice(0, separatorIndex));
  const time = parseTime(text.slice(separatorIndex + 1));
  return date && time && joinDateTime(date.days, time);
}

export function joinDateTime(days: number, time: FeelTime): FeelDateTime | null {
  const local = days * DAY_MS + time.ms;
  return time.zone === null ? new FeelDateTime(local, time.offset, null) : toZonedDateTime(local, time.zone);
}

/** Parses `P1DT2H3M4.5S` or `P1Y2M`. Weeks, and a mix of the two kinds, are not valid FEEL. */
export function parseDuration(text: string): DaysTimeDuration | YearsMonthsDuration | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  const yearsMonthsMatch = YEARS_MONTHS_PATTERN.exec(text);
  if (yearsMonthsMatch) {
    if (yearsMonthsMatch[2] === undefined && yearsMonthsMatch[3] === undefined) return null;
    const months = Number(yearsMonthsMatch[2] ?? 0) * 12 + Number(yearsMonthsMatch[3] ?? 0);
    return new YearsMonthsDuration(yearsMonthsMatch[1] === '-' ? 0 - months : months);
  }
  const daysTimeMatch = DAYS_TIME_PATTERN.exec(text);
  if (!daysTimeMatch || (daysTimeMatch[2] === undefined && daysTimeMatch[3] === undefined)) return null;
  const seconds = Number(daysTimeMatch[6] ?? 0);
  const msWithoutSeconds =
    Number(daysTimeMatch[2] ?? 0) * DAY_MS +
    Number(daysTimeMatch[4] ?? 0) * HOUR_MS +
    Number(daysTimeMatch[5] ?? 0) * MINUTE_MS;
  const ms = msWithoutSeconds + Math.trunc(Math.round(seconds * 1e6) / 1e3);
  return new DaysTimeDuration(daysTimeMatch[1] === '-' ? 0 - ms : ms);
}

/** Parses the content of `@"…"` as the first temporal kind that matches. */
export function parseTemporal(text: string): FeelValue | null {
  return parseDuration(text) ?? parseDate(text) ?? (text.includes('T') ? parseDateTime(text) : null) ?? parseTime(text);
}
