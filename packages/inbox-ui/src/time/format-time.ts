import { appendUtcOffset } from '@countersign/contract';
import { texts } from '../texts/index.js';
import type { TimeMode } from './time-mode.js';

const t = texts.time;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

const minute = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const localMinute = new Intl.DateTimeFormat('en-GB', minute);
const utcMinute = new Intl.DateTimeFormat('en-GB', { ...minute, timeZone: 'UTC' });

/**
 * Tense of a timestamp: one that is `past` is never formatted as a future time, even if the clock of this machine is
 * behind that of the server.
 */
export type TimestampTense = 'past' | 'either';

/**
 * Formats a time in the user's mode, with the UTC offset of a local time that occurs twice.
 *
 * @param at RFC 3339
 * @param now in ms
 */
export function formatTime(at: string, mode: TimeMode, now: number, tense: TimestampTense): string {
  const time = Date.parse(at);
  if (mode === 'utc') return t.inUtc(utc.format(time));
  if (mode === 'local') return formatLocal(time);
  return formatRelative(tense === 'past' ? Math.min(0, time - now) : time - now);
}

/**
 * Formats a date and time to the minute, absolute in every mode.
 *
 * @param at RFC 3339
 */
export function formatMinute(at: string, mode: TimeMode): string {
  const time = Date.parse(at);
  return mode === 'utc' ? t.inUtc(utcMinute.format(time)) : appendUtcOffset(localMinute.format(time), time);
}

/** Formats a moment as exact local time with its offset if needed, and as UTC. */
export function formatExact(at: string): string {
  const time = Date.parse(at);
  return `${formatLocal(time)} · ${t.inUtc(utc.format(time))}`;
}

/**
 * Formats a local date and time to the minute, even one that clocks skip.
 *
 * @param text in the format of a `datetime-local` input
 */
export function formatLocalText(text: string): string {
  return utcMinute.format(Date.parse(`${text}Z`));
}

function formatLocal(time: number): string {
  return appendUtcOffset(local.format(time), time);
}

function formatRelative(difference: number): string {
  if (difference <= 0 && difference > -MINUTE) return t.justNow;
  for (const [unit, ms] of UNITS) {
    if (Math.abs(difference) >= ms) return relative.format(Math.trunc(difference / ms), unit);
  }
  return t.justNow;
}

/**
 * Formats a duration in ms: `850 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. Negative durations, which
 * differences between clocks can cause, are formatted as 0.
 */
export function formatDuration(ms: number): string {
  const { units, length } = t;
  if (ms < SECOND) return length(String(Math.max(0, Math.round(ms))), units.ms);
  if (ms < MINUTE) return length((ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0), units.s);
  const [big, small, bigUnit, smallUnit] =
    ms < HOUR
      ? [MINUTE, SECOND, units.min, units.s]
      : ms < DAY
        ? [HOUR, MINUTE, units.h, units.min]
        : [DAY, HOUR, units.d, units.h];
  const rest = Math.floor((ms % big) / small);
  const whole = length(String(Math.floor(ms / big)), bigUnit);
  return rest === 0 ? whole : `${whole} ${length(String(rest), smallUnit)}`;
}
