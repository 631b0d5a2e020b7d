import { toLocalTime, withOffset } from '@countersign/contract';

const HOUR_MS = 60 * 60_000;
const MORNING = 9;
const AFTERNOON = 15;
/** The afternoon is offered as long as it is that far off. */
const MIN_MS = 90 * 60_000;

/** How long something is put off, as people think of it. */
export interface SnoozeChoice {
  readonly id: 'hour' | 'afternoon' | 'tomorrow' | 'monday';
  /** In ms since the epoch. */
  readonly at: number;
}

/** Times that approvals are put off to. @param now in ms; the time of day is that of this machine */
export function snoozeChoices(now: number): readonly SnoozeChoice[] {
  const afternoon = dayAt(now, 0, AFTERNOON);
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
  return [
    { id: 'hour', at: now + HOUR_MS },
    ...(afternoon - now >= MIN_MS ? [{ id: 'afternoon', at: afternoon } as const] : []),
    { id: 'tomorrow', at: dayAt(now, 1, MORNING) },
    ...(toMonday > 1 ? [{ id: 'monday', at: dayAt(now, toMonday, MORNING) } as const] : []),
  ];
}

/** By the calendar: a day is not always 24 hours. */
function dayAt(now: number, days: number, hour: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  date.setHours(hour, 0, 0, 0);
  return date.getTime();
}

/**
 * A time to come, as short as leaves no doubt: with its offset where the local time occurs twice.
 *
 * @param zone IANA name; left out: this machine's
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
  return withOffset(format.format(at), at, zone);
}

/** The local day of a moment as if it were one of UTC, where all days are 24 hours. */
function localDay(at: number, zone: string | undefined): number {
  return Date.parse(toLocalTime(at, zone).slice(0, 'yyyy-mm-dd'.length));
}
