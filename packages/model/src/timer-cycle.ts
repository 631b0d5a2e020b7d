import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { parseCron } from './cron.js';
import {
  addIsoDuration,
  endsInRange,
  isInstant,
  isoDurationParts,
  parseIsoDate,
  parseIsoDuration,
  type Iso8601Duration,
} from './iso-8601.js';

/** When a timer that repeats is due next. Plain data: it is kept in the state of a run. */
export interface CycleTime {
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  /** How many times are left after this one; `null`: without end. */
  readonly left: number | null;
}

/** The schedule of a timer that repeats (BPMN 2.0, table 10.101, `timeCycle`). Pure: the time is always given. */
interface CycleSchedule {
  first(now: number): CycleTime | undefined;
  next(previous: CycleTime, now: number): CycleTime | undefined;
}

/**
 * When a cycle that is armed at `now` is due first: an interval one interval later, or at its start, or at once where the
 * start is past; cron at the first time that fits. `undefined` where the text is no cycle (see `parseTimerCycle`).
 */
export function firstDue(text: string, now: number): CycleTime | undefined {
  return parseTimerCycle(text)?.first(now);
}

/**
 * When a cycle is due again that was due at `previousDueAt` with `left` times after it, and came up at `now`, late or not.
 * `undefined`: that was the last time. See `parseTimerCycle` for times that were missed.
 */
export function nextDue(text: string, previousDueAt: number, left: number | null, now: number): CycleTime | undefined {
  return parseTimerCycle(text)?.next({ dueAt: previousDueAt, left }, now);
}

/** A zone in brackets (RFC 9557) may contain slashes. */
const REPEATING = /^R(-1|\d{1,9})?\/(?:([^/[]+(?:\[([^\]]+)\])?)\/)?([^/]+)$/;

/**
 * Reads `R/PT1H`, `R3/PT10S`, `R5/2026-01-01T00:00:00Z/PT10M` (ISO 8601 repeating interval, as Zeebe's
 * `RepeatingInterval`: an end is not read), the same with a zone (`R/2026-01-05T09:00:00+01:00[Europe/Berlin]/P1D`), or a cron expression (see cron.ts). `undefined` where the text is none, would
 * never be due, or would be due again at once (an interval that isn't longer than zero).
 *
 * The schedule is fixed: without a start, a time is reckoned from the one before, as on Zeebe 8.6, not from when that was
 * handled. With a start it is one of the start and whole intervals after it (ISO 8601-1, 5.6), also where the start is past
 * (Zeebe 8.6 reckons from when the timer was armed). Years to days are added to the local time of the start, so that in a
 * zone it stays the same across changes of the clock; hours and less are exact.
 *
 * Times that were missed while nobody looked at the clock: of a counted cycle (`R3/…`) each happens, one at a time, in
 * order and at once, since the model asks for that many. Of one without end (`R/…`, cron) the late one stands for all that
 * were missed, and the next is the first of the schedule behind `now`. (Zeebe 8.6 does that for cron; a missed interval it
 * makes up for once, and moves the schedule.)
 */
export function parseTimerCycle(text: string): CycleSchedule | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('R')) return repeatingInterval(trimmed);
  const schedule = parseCron(trimmed);
  if (schedule === undefined) return undefined;
  return {
    first: (now) => endless(schedule(now)),
    next: (previous, now) => endless(schedule(Math.max(previous.dueAt, now))),
  };
}

function repeatingInterval(text: string): CycleSchedule | undefined {
  const match = REPEATING.exec(text);
  const interval = match === null ? undefined : parseIsoDuration(match[4] ?? '');
  if (match === null || interval === undefined || !isPositive(interval)) return undefined;
  const count = match[1] === undefined || match[1] === '-1' ? null : Number(match[1]);
  const start = match[2] === undefined ? null : parseIsoDate(match[2]);
  const zone = zoneOf(match[2] ?? '', match[3]);
  if (count === 0 || start === undefined || zone === undefined) return undefined;
  return {
    first: (now) =>
      at(start === null ? addIsoDuration(now, interval) : Math.max(start, now), count === null ? null : count - 1),
    next({ dueAt, left }, now) {
      if (left !== null && left <= 0) return undefined;
      const anchor = start ?? dueAt;
      const timeOf = (times: number): number | undefined =>
        zone.equals(FixedOffsetZone.utcInstance)
          ? addIsoDuration(anchor, interval, times)
          : addInZone(anchor, interval, times, zone);
      return left === null
        ? endless(firstBehind(Math.max(dueAt, now), timeOf))
        : at(firstBehind(dueAt, timeOf), left - 1);
    },
  };
}

const OFFSET = /([+-])(\d{1,2}):?(\d{2})?$/;
const NAMED_OFFSET = /^(?:Z|(?:GMT|UTC|UT)(?:[+-]\d{1,2})?|[+-]\d{1,2}(?:\d{2})?)$/i;

/**
 * Returns the zone in which the local time of a start is computed: the one in brackets, otherwise the offset of the start,
 * otherwise UTC. A zone is one of IANA, or as `java.time` reads it
 * `Z`, or an offset, also behind `GMT`, `UTC` or `UT`. `undefined` where there is no such zone.
 */
function zoneOf(start: string, named: string | undefined): Zone | undefined {
  const written = named ?? start.replace(/\[.*/, '').slice(-6);
  if (named === undefined || NAMED_OFFSET.test(named)) {
    const offset = OFFSET.exec(written);
    if (offset === null) return FixedOffsetZone.utcInstance;
    const [, sign, hours, minutes = '0'] = offset;
    return FixedOffsetZone.instance((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)));
  }
  const zone = IANAZone.create(named);
  return zone.isValid ? zone : undefined;
}

function addInZone(epochMs: number, interval: Iso8601Duration, times: number, zone: Zone): number | undefined {
  const { months, days, ms } = isoDurationParts(interval);
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
 * The first time of a schedule after a moment; `undefined` where it is out of range. The search takes as many steps as the
 * number of intervals has binary digits: a start may be thousands of years past, and an interval a millisecond.
 *
 * @param timeOf the time after so many intervals, from 1
 */
function firstBehind(moment: number, timeOf: (times: number) => number | undefined): number | undefined {
  const isBehind = (times: number): boolean => (timeOf(times) ?? Infinity) > moment;
  let last = 1;
  while (!isBehind(last)) last *= 2;
  let before = last / 2;
  while (last - before > 1) {
    const middle = Math.floor((before + last) / 2);
    if (isBehind(middle)) last = middle;
    else before = middle;
  }
  return timeOf(last);
}

function at(dueAt: number | undefined, left: number | null): CycleTime | undefined {
  return dueAt === undefined ? undefined : { dueAt, left };
}

function endless(dueAt: number | undefined): CycleTime | undefined {
  return at(dueAt, null);
}
