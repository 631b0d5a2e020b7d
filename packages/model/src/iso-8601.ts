/**
 * A duration in the subset of ISO 8601 that BPMN timers use (BPMN 2.0, 10.5.5.5 `timeDate`, `timeDuration`), as Zeebe
 * parses it (`java.time.Period` and `Duration`, `ZonedDateTime`). All calculations are in UTC, because a run must not
 * depend on the location of a server.
 */
export interface Iso8601Duration {
  readonly negative: boolean;
  readonly years: number;
  readonly months: number;
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  /** May have a fraction, down to milliseconds. */
  readonly seconds: number;
}

const DURATION =
  /^(-)?P(?=\d|T\d)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,9})?)S)?)?$/i;

/** Negative durations as written by `java.time`, and therefore by FEEL in Zeebe: `PT-1H-30M` for `-PT1H30M`. */
const NEGATIVE_PARTS = /^P(?:T?-\d[\d.,]*[A-Z])+$/i;

/**
 * Parses a duration such as `P1DT2H` or `PT0.5S`.
 *
 * @returns `undefined` if the text is not a duration
 */
export function parseIsoDuration(text: string): Iso8601Duration | undefined {
  const trimmed = text.trim();
  const match = DURATION.exec(NEGATIVE_PARTS.test(trimmed) ? `-${trimmed.replaceAll('-', '')}` : trimmed);
  if (match === null) return undefined;
  const parsePart = (index: number): number => Number((match[index] ?? '0').replace(',', '.'));
  return {
    negative: match[1] !== undefined,
    years: parsePart(2),
    months: parsePart(3),
    weeks: parsePart(4),
    days: parsePart(5),
    hours: parsePart(6),
    minutes: parsePart(7),
    seconds: parsePart(8),
  };
}

/**
 * 0001-01-01T00:00:00.000Z, the first instant that RFC 3339 can represent and the database accepts, in ms since the
 * epoch.
 */
export const EARLIEST_INSTANT = -62_135_596_800_000;
/** 9999-12-31T23:59:59.999Z, the last such instant, in ms since the epoch. */
export const LATEST_INSTANT = 253_402_300_799_999;

/** Returns whether a time (ms since the epoch) is in the years 1 to 9999 UTC. */
export function isInstant(ms: number): boolean {
  return ms >= EARLIEST_INSTANT && ms <= LATEST_INSTANT;
}

/**
 * Adds a duration to a point in time (milliseconds since the epoch), in the UTC calendar: years and months first, with
 * the day limited to the length of the resulting month (31 January + P1M = 28 February, as in `java.time`), then the
 * rest, which has a fixed length in UTC.
 *
 * @param times number of times that the duration is added: 31 January plus two times P1M is 31 March
 * @returns `undefined` if the result is outside the years 1 to 9999
 */
export function addIsoDuration(epochMs: number, duration: Iso8601Duration, times = 1): number | undefined {
  const { months, days, ms } = splitIsoDuration(duration);
  const result = addMonths(epochMs, months * times) + (days * 86_400_000 + ms) * times;
  return isInstant(result) ? result : undefined;
}

/** Returns the parts of a duration that a calendar adds: months, days, and the rest in milliseconds. */
export function splitIsoDuration(duration: Iso8601Duration): {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
} {
  const sign = duration.negative ? -1 : 1;
  const seconds = Math.floor(Math.round(duration.seconds * 1e9) / 1e6);
  return {
    months: sign * (duration.years * 12 + duration.months),
    days: sign * (duration.weeks * 7 + duration.days),
    ms: sign * (duration.hours * 3_600_000 + duration.minutes * 60_000 + seconds),
  };
}

/**
 * Returns whether a duration that starts in 2200 ends in the years 1 to 9999. Literal durations are checked this way,
 * so that acceptance does not depend on the date of deployment.
 */
export function endsInRange(duration: Iso8601Duration): boolean {
  return addIsoDuration(YEAR_2200, duration) !== undefined;
}

const YEAR_2200 = Date.UTC(2200, 0, 1);

function addMonths(epochMs: number, months: number): number {
  if (months === 0) return epochMs;
  const date = new Date(epochMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const target = new Date(0);
  target.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, target.getUTCDate()));
  return date.getTime();
}

const DATE_TIME =
  /^([+-]\d{6}|\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)(?:\[[A-Za-z0-9_+\-/]{1,64}\])?$/i;

/**
 * Parses a date with time and offset such as `2026-11-21T12:00:00+01:00`, to milliseconds since the epoch. An offset or
 * `Z` is required, since a local time means a different instant on every server.
 *
 * If only the offset moves the date out of the years 1 to 9999, as in `9999-12-31T23:59:59-05:00`, which many systems
 * use for "never", the result is the first or the last instant.
 *
 * @returns `undefined` if the text is not a date, or its day or time does not exist or is outside the years 1 to 9999
 */
export function parseIsoDate(text: string): number | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '0', zone = 'Z'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Math.floor(Number(`0.${fraction}`) * 1000));
  const exists =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute) &&
    date.getUTCSeconds() === Number(second);
  const offset = parseOffsetMs(zone);
  if (!exists || offset === undefined) return undefined;
  // The local date, before the offset is applied.
  if (!isInstant(date.getTime())) return undefined;
  return Math.min(Math.max(date.getTime() - offset, EARLIEST_INSTANT), LATEST_INSTANT);
}

function parseOffsetMs(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || '0');
  // java.time allows offsets of up to 18 hours.
  if (hours > 18 || minutes > 59 || (hours === 18 && minutes > 0)) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
