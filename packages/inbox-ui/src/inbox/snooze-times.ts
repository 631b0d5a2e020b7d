import { toLocalTime, appendUtcOffset } from '@countersign/contract';

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 9;
const AFTERNOON_HOUR = 15;
/** Minimum time until the afternoon at which it is still suggested. */
const MIN_AFTERNOON_DELAY_MS = 90 * 60_000;

/** A suggested snooze time. */
export interface SnoozeChoice {
  readonly id: 'hour' | 'afternoon' | 'tomorrow' | 'monday';
  /** In ms since the epoch. */
  readonly at: number;
}

/**
 * Returns suggested snooze times.
 *
 * @param now in ms; times of day are in the time zone of this machine
 */
export function getSnoozeChoices(now: number): readonly SnoozeChoice[] {
  const afternoon = timeOnDay(now, 0, AFTERNOON_HOUR);
  const daysUntilMonday = (8 - new Date(now).getDay()) % 7 || 7;
  return [
    { id: 'hour', at: now + HOUR_MS },
    ...(afternoon - now >= MIN_AFTERNOON_DELAY_MS ? [{ id: 'afternoon', at: afternoon } as const] : []),
    { id: 'tomorrow', at: timeOnDay(now, 1, MORNING_HOUR) },
    ...(daysUntilMonday > 1 ? [{ id: 'monday', at: timeOnDay(now, daysUntilMonday, MORNING_HOUR) } as const] : []),
  ];
}

/** Returns the time of an hour on a later day. Uses the calendar, because a day does not always have 24 hours. */
function timeOnDay(now: number, days: number, hour: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  date.setHours(hour, 0, 0, 0);
  return date.getTime();
}

/**
 * Formats a future time in the shortest unambiguous form, with its UTC offset if the local time occurs twice.
 *
 * @param zone IANA time zone; default: the time zone of this machine
 */
export function formatSnooze(at: number, now: number, zone?: string): string {
  const days = (localDay(at, zone) - localDay(now, zone)) / (24 * HOUR_MS);
  const day: Intl.DateTimeFormatOptions =
    days === 0 ? {} : days < 7 ? { weekday: 'short' } : { weekday: 'short', day: 'numeric', month: 'short' };
  const format = new Intl.DateTimeFormat('en-GB', {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    ...(zone !== undefined && { timeZone: zone }),
  });
  return appendUtcOffset(format.format(at), at, zone);
}

/**
 * Returns the start of the UTC day with the same date as the local day of a moment, in ms. UTC days always have 24
 * hours.
 */
function localDay(at: number, zone: string | undefined): number {
  return Date.parse(toLocalTime(at, zone).slice(0, 'yyyy-mm-dd'.length));
}
