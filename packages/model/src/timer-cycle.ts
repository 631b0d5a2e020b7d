import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { parseCron } from './cron.js';
import {
  addIsoDuration,
  endsInRange,
  isInstant,
  splitIsoDuration,
  parseIsoDate,
  parseIsoDuration,
  type Iso8601Duration,
} from './iso-8601.js';

/** The next due time of a repeating timer. Plain data, stored in the state of a run. */
export interface CycleTime {
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  /** Remaining times after this one; `null`: unlimited. */
  readonly left: number | null;
}

/**
 * The schedule of a repeating timer (BPMN 2.0, table 10.101, `timeCycle`). Pure: the current time is always a
 * parameter.
 */
interface CycleSchedule {
  first(now: number): CycleTime | undefined;
  next(previous: CycleTime, now: number): CycleTime | undefined;
}

/**
 * Returns the first due time of a cycle that is armed at `now`. An interval is first due one interval later, or at its
 * start, or immediately if the start is past. Cron is first due at the first matching time.
 *
 * @returns `undefined` if the text is not a cycle (see `parseTimerCycle`)
 */
export function computeFirstCycleTime(text: string, now: number): CycleTime | undefined {
  return parseTimerCycle(text)?.first(now);
}

/**
 * Returns the next due time of a cycle that was due at `previousDueAt`, with `left` times remaining after it, and fired
 * at `now`, possibly late. For missed times, see `parseTimerCycle`.
 *
 * @returns `undefined` if that was the last time
 */
export function computeNextCycleTime(
  text: string,
  previousDueAt: number,
  left: number | null,
  now: number,
): CycleTime | undefined {
  return parseTimerCycle(text)?.next({ dueAt: previousDueAt, left }, now);
}

/** A zone in brackets (RFC 9557) may contain slashes. */
const REPEATING_INTERVAL = /^R(-1|\d{1,9})?\/(?:([^/[]+(?:\[([^\]]+)\])?)\/)?([^/]+)$/;

/**
 * Parses `R/PT1H`, `R3/PT10S`, `R5/2026-01-01T00:00:00Z/PT10M` (ISO 8601 repeating interval, as Zeebe's
 * `RepeatingInterval`, without support for an end), the same with a zone
 * (`R/2026-01-05T09:00:00+01:00[Europe/Berlin]/P1D`), or a cron expression (see cron.ts).
 *
 * The schedule is fixed: without a start, each time is computed from the previous due time, as in Zeebe 8.6, not from
 * the time at which the timer fired. With a start, each time is the start plus whole intervals (ISO 8601-1, 5.6), even
 * if the start is past (Zeebe 8.6 computes from the time at which the timer was armed). Years, months, weeks and days
 * are added to the local time of the start, so that the local time in a zone stays the same across clock changes; hours
 * and smaller units are exact.
 *
 * Missed times: a counted cycle (`R3/…`) fires once for each of them, one at a time, in order and without delay,
 * because the BPMN model requires that number. An unlimited cycle (`R/…`, cron) fires once for all missed times, and
 * the next due time is the first time of the schedule after `now`. (Zeebe 8.6 does so for cron; for an interval, it
 * fires once and shifts the schedule.)
 *
 * @returns `undefined` if the text is not a cycle, would never be due, or has an interval that is not longer than zero
 */
export function parseTimerCycle(text: string): CycleSchedule | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('R')) return parseRepeatingInterval(trimmed);
  const schedule = parseCron(trimmed);
  if (schedule === undefined) return undefined;
  return {
    first: (now) => toUnlimitedCycleTime(schedule(now)),
    next: (previous, now) => toUnlimitedCycleTime(schedule(Math.max(previous.dueAt, now))),
  };
}

function parseRepeatingInterval(text: string): CycleSchedule | undefined {
  const match = REPEATING_INTERVAL.exec(text);
  const interval = match === null ? undefined : parseIsoDuration(match[4] ?? '');
  if (match === null || interval === undefined || !isPositive(interval)) return undefined;
  const count = match[1] === undefined || match[1] === '-1' ? null : Number(match[1]);
  const start = match[2] === undefined ? null : parseIsoDate(match[2]);
  const zone = resolveZone(match[2] ?? '', match[3]);
  if (count === 0 || start === undefined || zone === undefined) return undefined;
  return {
    first: (now) =>
      toCycleTime(
        start === null ? addIsoDuration(now, interval) : Math.max(start, now),
        count === null ? null : count - 1,
      ),
    next({ dueAt, left }, now) {
      if (left !== null && left <= 0) return undefined;
      const anchor = start ?? dueAt;
      const computeTime = (times: number): number | undefined =>
        zone.equals(FixedOffsetZone.utcInstance)
          ? addIsoDuration(anchor, interval, times)
          : addInZone(anchor, interval, times, zone);
      return left === null
        ? toUnlimitedCycleTime(findFirstAfter(Math.max(dueAt, now), computeTime))
        : toCycleTime(findFirstAfter(dueAt, computeTime), left - 1);
    },
  };
}

const OFFSET = /([+-])(\d{1,2}):?(\d{2})?$/;
const NAMED_OFFSET = /^(?:Z|(?:GMT|UTC|UT)(?:[+-]\d{1,2})?|[+-]\d{1,2}(?:\d{2})?)$/i;

/**
 * Returns the zone in which the local time of a start is computed: the zone in brackets, otherwise the offset of the
 * start, otherwise UTC. A zone is an IANA zone, or as in `java.time` `Z` or an offset, optionally prefixed with `GMT`,
 * `UTC` or `UT`.
 *
 * @returns `undefined` if the zone does not exist
 */
function resolveZone(start: string, zoneName: string | undefined): Zone | undefined {
  const zoneText = zoneName ?? start.replace(/\[.*/, '').slice(-6);
  if (zoneName === undefined || NAMED_OFFSET.test(zoneName)) {
    const offset = OFFSET.exec(zoneText);
    if (offset === null) return FixedOffsetZone.utcInstance;
    const [, sign, hours, minutes = '0'] = offset;
    return FixedOffsetZone.instance((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)));
  }
  const zone = IANAZone.create(zoneName);
  return zone.isValid ? zone : undefined;
}

function addInZone(epochMs: number, interval: Iso8601Duration, times: number, zone: Zone): number | undefined {
  const { months, days, ms } = splitIsoDuration(interval);
  const result = DateTime.fromMillis(epochMs, { zone })
    .plus({ months: months * times, days: days * times, milliseconds: ms * times })
    .toMillis();
  return isInstant(result) ? result : undefined;
}

function isPositive(interval: Iso8601Duration): boolean {
  if (!endsInRange(interval)) return false;
  const later = addIsoDuration(0, interval);
  return later !== undefined && later > 0;
}

/**
 * Returns the first time of a schedule after a moment. Uses a binary search, because the start may be thousands of
 * years in the past and the interval one millisecond.
 *
 * @param computeTime returns the time after a number of intervals, from 1
 * @returns `undefined` if the time is out of range
 */
function findFirstAfter(moment: number, computeTime: (times: number) => number | undefined): number | undefined {
  const isAfterMoment = (times: number): boolean => (computeTime(times) ?? Infinity) > moment;
  let firstKnownAfter = 1;
  while (!isAfterMoment(firstKnownAfter)) firstKnownAfter *= 2;
  let lastTooEarly = firstKnownAfter / 2;
  while (firstKnownAfter - lastTooEarly > 1) {
    const middle = Math.floor((lastTooEarly + firstKnownAfter) / 2);
    if (isAfterMoment(middle)) firstKnownAfter = middle;
    else lastTooEarly = middle;
  }
  return computeTime(firstKnownAfter);
}

function toCycleTime(dueAt: number | undefined, left: number | null): CycleTime | undefined {
  return dueAt === undefined ? undefined : { dueAt, left };
}

function toUnlimitedCycleTime(dueAt: number | undefined): CycleTime | undefined {
  return toCycleTime(dueAt, null);
}
