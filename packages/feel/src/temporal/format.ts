import type { FeelValue } from '../values.js';
import { civilOf, DAY, HOUR, MINUTE, SECOND } from './calendar.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from './values.js';

/** Returns the text of a temporal value as in `string()`; `undefined` for other values. */
export function temporalText(value: FeelValue): string | undefined {
  if (value instanceof FeelDate) return dateText(value.days);
  if (value instanceof FeelTime) return `${fullTime(value.ms)}${suffix(value.offset, value.zone)}`;
  if (value instanceof FeelDateTime) {
    return `${dateText(value.days)}T${fullTime(value.ms)}${suffix(value.offset, value.zone)}`;
  }
  if (value instanceof DaysTimeDuration) return daysTimeText(value.ms);
  if (value instanceof YearsMonthsDuration) return yearsMonthsText(value.months);
  return undefined;
}

/**
 * Returns the JSON of a temporal value as a variable. It is what Zeebe 8.6 writes: java.time's own form (zero seconds
 * omitted, durations in hours, the zone in brackets).
 */
export function temporalJson(value: FeelValue): string | undefined {
  if (value instanceof FeelDate) return dateText(value.days);
  if (value instanceof FeelTime) return value.offset === null ? shortTime(value.ms) : temporalText(value);
  if (value instanceof FeelDateTime) {
    const local = `${dateText(value.days)}T${shortTime(value.ms)}`;
    if (value.offset === null) return local;
    return `${local}${offsetText(value.offset)}${value.zone === null ? '' : `[${value.zone}]`}`;
  }
  if (value instanceof DaysTimeDuration) return hoursText(value.ms);
  if (value instanceof YearsMonthsDuration) {
    const years = Math.trunc(value.months / 12);
    const months = value.months % 12;
    return value.months === 0 ? 'P0D' : `P${years === 0 ? '' : `${years}Y`}${months === 0 ? '' : `${months}M`}`;
  }
  return undefined;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}

function dateText(days: number): string {
  const { year, month, day } = civilOf(days);
  const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
  return `${sign}${pad(Math.abs(year), 4)}-${pad(month)}-${pad(day)}`;
}

function fullTime(ms: number): string {
  const fraction = ms % SECOND === 0 ? '' : `.${pad(ms % SECOND, 3)}`.replace(/0+$/, '');
  return `${clock(ms)}:${pad(Math.floor((ms % MINUTE) / SECOND))}${fraction}`;
}

function shortTime(ms: number): string {
  if (ms % MINUTE === 0) return clock(ms);
  const fraction = ms % SECOND === 0 ? '' : `.${pad(ms % SECOND, 3)}`;
  return `${clock(ms)}:${pad(Math.floor((ms % MINUTE) / SECOND))}${fraction}`;
}

function clock(ms: number): string {
  return `${pad(Math.floor(ms / HOUR))}:${pad(Math.floor((ms % HOUR) / MINUTE))}`;
}

function suffix(offset: number | null, zone: string | null): string {
  if (zone !== null) return `@${zone}`;
  return offset === null ? '' : offsetText(offset);
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  const seconds = size % MINUTE === 0 ? '' : `:${pad((size % MINUTE) / SECOND)}`;
  return `${offset < 0 ? '-' : '+'}${clock(size)}${seconds}`;
}

function secondsText(ms: number): string {
  return String(ms / SECOND);
}

function daysTimeText(total: number): string {
  const ms = Math.abs(total);
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const rest = ms % MINUTE;
  if (ms === 0) return 'P0D';
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${secondsText(rest)}S` : ''}`;
  return `${total < 0 ? '-' : ''}P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`;
}

function hoursText(ms: number): string {
  const hours = Math.trunc(ms / HOUR);
  const minutes = Math.trunc((ms % HOUR) / MINUTE);
  const rest = ms % MINUTE;
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${secondsText(rest)}S` : ''}`;
  return `PT${text || '0S'}`;
}

function yearsMonthsText(total: number): string {
  const months = Math.abs(total);
  if (months === 0) return 'P0Y';
  const years = Math.floor(months / 12);
  return `${total < 0 ? '-' : ''}P${years ? `${years}Y` : ''}${months % 12 ? `${months % 12}M` : ''}`;
}
