import { appendUtcOffset } from '@countersign/contract';

const HOUR_MS = 60 * 60_000;
const MORNING_HOUR = 8;

/**
 * Returns when notifications are on again, in ms since the epoch.
 *
 * @param now in ms; the time of day is this machine's
 */
export function getMuteEnd(until: 'hour' | 'tomorrow', now: number): number {
  if (until === 'hour') return now + HOUR_MS;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  return morning.getTime();
}

/** Returns a time of day, with the day if it is not today, and the offset if the time occurs twice. */
export function timeOf(at: number, now: number): string {
  const today = new Date(at).toDateString() === new Date(now).toDateString();
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(today ? {} : { weekday: 'short' }),
  });
  return appendUtcOffset(format.format(at), at);
}
