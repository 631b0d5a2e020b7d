import type { FeelValue } from '../values.js';
import { DAY, daysOf, HOUR, isZone, MINUTE, offsetAt, SECOND } from './calendar.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, inZone, YearsMonthsDuration } from './values.js';

const DATE = /^([+-]?\d{4,6})-(\d\d)-(\d\d)$/;
const TIME = /^T?(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d(?::?\d\d)?|@[\w/+-]{1,64})?$/;
const OFFSET = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/;
const DAYS_TIME =
  /^(-?)P(?:(-?\d{1,9})D)?(T(?=-?\d)(?:(-?\d{1,9})H)?(?:(-?\d{1,9})M)?(?:(-?\d{1,12}(?:\.\d{1,9})?)S)?)?$/;
const YEARS_MONTHS = /^(-?)P(?:(-?\d{1,9})Y)?(?:(-?\d{1,9})M)?$/;

/** Maximum length of a text to parse. */
const MAX_TEXT = 128;

/** Parses `2020-12-31`. Returns null if the text is not a date. */
export function parseDate(text: string): FeelDate | null {
  const match = text.length <= MAX_TEXT ? DATE.exec(text) : null;
  const days = match && daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
  return days === null ? null : new FeelDate(days);
}

/** Parses `10:30:00`, with `Z`, `+02:00` or `@Europe/Paris`. Fractions beyond milliseconds are truncated. */
export function parseTime(text: string): FeelTime | null {
  const match = text.length <= MAX_TEXT ? TIME.exec(text) : null;
  if (!match) return null;
  const [, hour, minute, second = '0', fraction = '', suffix] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  const ms = Number(hour) * HOUR + Number(minute) * MINUTE + Number(second) * SECOND + millis;
  if (suffix === undefined) return new FeelTime(ms, null, null);
  if (suffix.startsWith('@')) {
    const zone = suffix.slice(1);
    return isZone(zone) ? new FeelTime(ms, offsetAt(zone, 0), zone) : null;
  }
  const offset = parseOffset(suffix);
  return offset === null ? null : new FeelTime(ms, offset, null);
}

function parseOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const match = OFFSET.exec(text);
  if (!match) return null;
  const offset = Number(match[2]) * HOUR + Number(match[3]) * MINUTE + Number(match[4] ?? '0') * SECOND;
  if (offset > 18 * HOUR || Number(match[3]) > 59) return null;
  return match[1] === '-' ? 0 - offset : offset;
}

/** Parses a date and a time joined by `T`, or only a date, which means its midnight. */
export function parseDateTime(text: string): FeelDateTime | null {
  const at = text.indexOf('T');
  if (at === -1) {
    const date = parseDate(text);
    return date && new FeelDateTime(date.days * DAY, null, null);
  }
  const date = parseDate(text.slice(0, at));
  const time = parseTime(text.slice(at + 1));
  return date && time && joinDateTime(date.days, time);
}

export function joinDateTime(days: number, time: FeelTime): FeelDateTime | null {
  const local = days * DAY + time.ms;
  return time.zone === null ? new FeelDateTime(local, time.offset, null) : inZone(local, time.zone);
}

/** Parses `P1DT2H3M4.5S` or `P1Y2M`. Weeks and a mix of the two kinds are not FEEL. */
export function parseDuration(text: string): DaysTimeDuration | YearsMonthsDuration | null {
  if (text.length > MAX_TEXT) return null;
  const long = YEARS_MONTHS.exec(text);
  if (long) {
    if (long[2] === undefined && long[3] === undefined) return null;
    const months = Number(long[2] ?? 0) * 12 + Number(long[3] ?? 0);
    return new YearsMonthsDuration(long[1] === '-' ? 0 - months : months);
  }
  const short = DAYS_TIME.exec(text);
  if (!short || (short[2] === undefined && short[3] === undefined)) return null;
  const seconds = Number(short[6] ?? 0);
  const days = Number(short[2] ?? 0) * DAY + Number(short[4] ?? 0) * HOUR + Number(short[5] ?? 0) * MINUTE;
  const ms = days + Math.trunc(Math.round(seconds * 1e6) / 1e3);
  return new DaysTimeDuration(short[1] === '-' ? 0 - ms : ms);
}

/** Parses the content of `@"…"` as the first kind that fits. */
export function parseTemporal(text: string): FeelValue | null {
  return parseDuration(text) ?? parseDate(text) ?? (text.includes('T') ? parseDateTime(text) : null) ?? parseTime(text);
}
