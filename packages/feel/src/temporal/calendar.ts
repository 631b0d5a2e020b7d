import { FixedOffsetZone, IANAZone } from 'luxon';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Steps for an operation with a named zone, because the platform's zone data is slow. */
export const ZONE_STEPS = 150;

/** Maximum distance of a date from 1970, in days: the range of a JavaScript date. */
const MAX_DAYS = 100_000_000;

export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** Returns the days since 1970-01-01 in the proleptic Gregorian calendar; null if the date does not exist. */
export function toEpochDays(year: number, month: number, day: number): number | null {
  if (!Number.isInteger(year) || month < 1 || month > 12 || day < 1 || day > getDaysInMonth(year, month)) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const days = date.getTime() / DAY_MS;
  return Number.isInteger(days) && isInRange(days) ? days : null;
}

export function isInRange(days: number): boolean {
  return Math.abs(days) <= MAX_DAYS;
}

export function toCivilDate(days: number): CivilDate {
  const date = new Date(days * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function getDaysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Adds months to a date. If the new month does not have that day, the result is its last day. Returns null if the
 * result is out of range.
 */
export function addMonthsToDays(days: number, months: number): number | null {
  const { year, month, day } = toCivilDate(days);
  const total = year * 12 + (month - 1) + months;
  const newYear = Math.floor(total / 12);
  const newMonth = total - newYear * 12 + 1;
  return toEpochDays(newYear, newMonth, Math.min(day, getDaysInMonth(newYear, newMonth)));
}

/** Returns the ISO weekday; Monday is 1. */
export function getWeekday(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

export function getDayOfYear(days: number): number {
  return days - (toEpochDays(toCivilDate(days).year, 1, 1) ?? days) + 1;
}

/** Returns the ISO 8601 week of the year. */
export function getWeekOfYear(days: number): number {
  const thursday = days + 4 - getWeekday(days);
  return Math.floor((getDayOfYear(thursday) - 1) / 7) + 1;
}

const zoneValidity = new Map<string, boolean>();
const MAX_CACHED_ZONES = 1_000;

/** Returns whether the platform supports a time zone with this name. */
export function isValidZone(zone: string): boolean {
  if (zone === 'UTC' || zone.length > 64) return zone === 'UTC';
  const cachedValidity = zoneValidity.get(zone);
  if (cachedValidity !== undefined) return cachedValidity;
  const isValid = IANAZone.isValidZone(zone);
  if (zoneValidity.size >= MAX_CACHED_ZONES) zoneValidity.clear();
  zoneValidity.set(zone, isValid);
  return isValid;
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds. */
export function getZoneOffset(zone: string, instant: number): number {
  const luxonZone = zone === 'UTC' ? FixedOffsetZone.utcInstance : IANAZone.create(zone);
  const offset = luxonZone.offset(instant) * MINUTE_MS;
  return Number.isFinite(offset) ? offset : 0;
}

/**
 * Returns the offset for a wall-clock time in a zone. In an overlap the earlier offset applies; in a gap the time is
 * moved forward by the gap's length, as in java.time.
 */
export function resolveLocalTime(zone: string, local: number): { readonly local: number; readonly offset: number } {
  const offsetBefore = getZoneOffset(zone, local - DAY_MS);
  if (getZoneOffset(zone, local - offsetBefore) === offsetBefore) return { local, offset: offsetBefore };
  const offsetAfter = getZoneOffset(zone, local + DAY_MS);
  if (getZoneOffset(zone, local - offsetAfter) === offsetAfter) return { local, offset: offsetAfter };
  const offset = getZoneOffset(zone, local - offsetBefore);
  return { local: local - offsetBefore + offset, offset };
}
