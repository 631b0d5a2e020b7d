/**
 * Local times of a time zone, and the moments that they denote: none if clocks skip the time, two if they repeat it.
 * The functions are pure except for the time zone rules, which come from the platform (`Intl`). A zone is an IANA name;
 * the default is the current zone of this machine.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A local date and time: `2027-10-31T02:30`, optionally with seconds and fractions. */
const LOCAL_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the offset of a zone from UTC, in ms, positive in the east.
 *
 * @param timestamp ms since the epoch
 */
export function getUtcOffset(timestamp: number, zone?: string): number {
  // `Date` follows a machine that changes its zone; an `Intl` format keeps the zone in which it was created.
  if (zone === undefined) return -new Date(timestamp).getTimezoneOffset() * MINUTE_MS;
  const format = formatters.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(zone, format);
  const name = format.formatToParts(timestamp).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT` or `GMT-03:30`; with seconds for times before time zones were standardized.
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+\-−])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
  return sign === undefined || sign === '+' ? offset : -offset;
}

/**
 * Returns the offset of a zone from UTC in readable form: `UTC+02:00`.
 *
 * @param timestamp ms since the epoch
 */
export function formatUtcOffset(timestamp: number, zone?: string): string {
  const offset = getUtcOffset(timestamp, zone);
  return `UTC${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;
}

/**
 * Appends the offset to a displayed local time if that time occurs twice: `02:30 UTC+02:00`.
 *
 * @param text the moment in the zone, without its offset
 * @param timestamp ms since the epoch
 */
export function appendUtcOffset(text: string, timestamp: number, zone?: string): string {
  const isAmbiguous = findMoments(timestamp + getUtcOffset(timestamp, zone), zone).length > 1;
  return isAmbiguous ? `${text} ${formatUtcOffset(timestamp, zone)}` : text;
}

/**
 * Returns the local date and time of a moment to the minute, in the format of an input `datetime-local`.
 *
 * @param timestamp ms since the epoch
 */
export function toLocalTime(timestamp: number, zone?: string): string {
  return new Date(timestamp + getUtcOffset(timestamp, zone)).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** The meaning of a local date and time. All moments are in ms since the epoch. */
export type LocalTimeResult =
  /** Not a date and time in the years 0 to 9999. */
  | { readonly kind: 'invalid' }
  /** The time occurs once, or twice with the earlier moment first. */
  | { readonly kind: 'moments'; readonly moments: readonly [number, ...number[]] }
  /** Clocks skip the time. `next` is the first moment after the gap. */
  | { readonly kind: 'skipped'; readonly next: number };

/**
 * Finds the moments that a local date and time denotes.
 *
 * @param text the value of an input `datetime-local`
 */
export function parseLocalTime(text: string, zone?: string): LocalTimeResult {
  const wallTime = LOCAL_TIME_PATTERN.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  // Some platforms parse 30 February as 2 March.
  if (Number.isNaN(wallTime) || !new Date(wallTime).toISOString().startsWith(text)) return { kind: 'invalid' };
  const [first, ...otherMoments] = findMoments(wallTime, zone);
  return first === undefined
    ? { kind: 'skipped', next: findGapEnd(wallTime, zone) }
    : { kind: 'moments', moments: [first, ...otherMoments] };
}

/**
 * Returns the first moment of a local day: not always its midnight, which some zones skip and others repeat.
 *
 * @param day `2027-10-31`
 * @returns ms since the epoch; for a skipped day, the moment of the skip; `NaN` if `day` is not a day
 */
export function startOfLocalDay(day: string, zone?: string): number {
  const parsed = parseLocalTime(`${day}T00:00`, zone);
  if (parsed.kind === 'invalid') return Number.NaN;
  return parsed.kind === 'skipped' ? parsed.next : parsed.moments[0];
}

/**
 * Returns the moments at which clocks show a time, earliest first. No zone changes its offset twice within two days,
 * and every offset is shorter than a day, so only the offsets a day before and after are possible.
 *
 * @param wallTime the local time as if it were UTC, in ms since the epoch
 */
function findMoments(wallTime: number, zone: string | undefined): number[] {
  return [...new Set(getSurroundingOffsets(wallTime, zone))]
    .map((offset) => wallTime - offset)
    .filter((timestamp) => timestamp + getUtcOffset(timestamp, zone) === wallTime)
    .sort((a, b) => a - b);
}

function getSurroundingOffsets(wallTime: number, zone: string | undefined): readonly [before: number, after: number] {
  return [getUtcOffset(wallTime - DAY_MS, zone), getUtcOffset(wallTime + DAY_MS, zone)];
}

/**
 * Returns the first moment after the clock change that skips a time.
 *
 * @param wallTime a skipped local time as if it were UTC, in ms since the epoch
 */
function findGapEnd(wallTime: number, zone: string | undefined): number {
  const [before, after] = getSurroundingOffsets(wallTime, zone);
  // Converted with the offset after the gap, the time is before the gap; with the other offset, it is after.
  let [low, high] = [wallTime - after, wallTime - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (getUtcOffset(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}
