import { appendUtcOffset } from '@countersign/contract';

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 8;

/**
 * Returns the time at which muting or a snooze ends, in ms since the epoch.
 *
 * @param now in ms since the epoch; the morning is in the time zone of this machine
 */
export function getEndTime(until: 'hour' | 'tomorrow', now: number): number {
  if (until === 'hour') return now + HOUR_MS;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  return morning.getTime();
}

/** Formats a time of day, with the weekday if it is not today, and with the UTC offset if the time occurs twice. */
export function formatTimeOfDay(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(isToday ? {} : { weekday: 'short' }),
  });
  return appendUtcOffset(format.format(at), at);
}
