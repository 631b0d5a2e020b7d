import type { FeelValue } from '../values.js';
import { toCivilDate, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './calendar.js';
import { DaysTimeDuration, FeelDate, FeelDateTime, FeelTime, YearsMonthsDuration } from './values.js';

/** Formats a temporal value as `string()` does. Returns `undefined` for other values. */
export function formatTemporal(value: FeelValue): string | undefined {
  if (value instanceof FeelDate) return formatDate(value.days);
  if (value instanceof FeelTime) return `${formatFullTime(value.ms)}${formatZoneSuffix(value.offset, value.zone)}`;
  if (value instanceof FeelDateTime) {
    return `${formatDate(value.days)}T${formatFullTime(value.ms)}${formatZoneSuffix(value.offset, value.zone)}`;
  }
  if (value instanceof DaysTimeDuration) return formatDaysTime(value.ms);
  if (value instanceof YearsMonthsDuration) return formatYearsMonths(value.months);
  return undefined;
}

/**
 * Formats a temporal value as Zeebe 8.6 writes it to a variable: in java.time's format (zero seconds omitted, durations
 * in hours, the zone in brackets). Returns `undefined` for other values.
 */
export function formatTemporalForJson(value: FeelValue): string | undefined {
  if (value instanceof FeelDate) return formatDate(value.days);
  if (value instanceof FeelTime) return value.offset === null ? formatShortTime(value.ms) : formatTemporal(value);
  if (value instanceof FeelDateTime) {
    const local = `${formatDate(value.days)}T${formatShortTime(value.ms)}`;
    if (value.offset === null) return local;
    return `${local}${formatOffset(value.offset)}${value.zone === null ? '' : `[${value.zone}]`}`;
  }
  if (value instanceof DaysTimeDuration) return formatHours(value.ms);
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

function formatDate(days: number): string {
  const { year, month, day } = toCivilDate(days);
  const sign = year < 0 ? '-' : year > 9999 ? '+' : '';
  return `${sign}${pad(Math.abs(year), 4)}-${pad(month)}-${pad(day)}`;
}

function formatFullTime(ms: number): string {
  const fraction = ms % SECOND_MS === 0 ? '' : `.${pad(ms % SECOND_MS, 3)}`.replace(/0+$/, '');
  return `${formatHoursMinutes(ms)}:${pad(Math.floor((ms % MINUTE_MS) / SECOND_MS))}${fraction}`;
}

function formatShortTime(ms: number): string {
  if (ms % MINUTE_MS === 0) return formatHoursMinutes(ms);
  const fraction = ms % SECOND_MS === 0 ? '' : `.${pad(ms % SECOND_MS, 3)}`;
  return `${formatHoursMinutes(ms)}:${pad(Math.floor((ms % MINUTE_MS) / SECOND_MS))}${fraction}`;
}

function formatHoursMinutes(ms: number): string {
  return `${pad(Math.floor(ms / HOUR_MS))}:${pad(Math.floor((ms % HOUR_MS) / MINUTE_MS))}`;
}

function formatZoneSuffix(offset: number | null, zone: string | null): string {
  if (zone !== null) return `@${zone}`;
  return offset === null ? '' : formatOffset(offset);
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const absoluteOffset = Math.abs(offset);
  const seconds = absoluteOffset % MINUTE_MS === 0 ? '' : `:${pad((absoluteOffset % MINUTE_MS) / SECOND_MS)}`;
  return `${offset < 0 ? '-' : '+'}${formatHoursMinutes(absoluteOffset)}${seconds}`;
}

function formatSeconds(ms: number): string {
  return String(ms / SECOND_MS);
}

function formatDaysTime(total: number): string {
  const ms = Math.abs(total);
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const rest = ms % MINUTE_MS;
  if (ms === 0) return 'P0D';
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${formatSeconds(rest)}S` : ''}`;
  return `${total < 0 ? '-' : ''}P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`;
}

function formatHours(ms: number): string {
  const hours = Math.trunc(ms / HOUR_MS);
  const minutes = Math.trunc((ms % HOUR_MS) / MINUTE_MS);
  const rest = ms % MINUTE_MS;
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${formatSeconds(rest)}S` : ''}`;
  return `PT${text || '0S'}`;
}

function formatYearsMonths(total: number): string {
  const months = Math.abs(total);
  if (months === 0) return 'P0Y';
  const years = Math.floor(months / 12);
  return `${total < 0 ? '-' : ''}P${years ? `${years}Y` : ''}${months % 12 ? `${months % 12}M` : ''}`;
}
