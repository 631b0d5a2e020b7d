/**
 * Local times of a time zone, and the moments that they mean: none where clocks are set forward, two where they are set
 * back. Pure except for the rules of time zones, which are the platform's (`Intl`). A zone is an IANA name; without one it
 * is that of this machine, as it is now.
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A local date and time: `2027-10-31T02:30`, also with seconds and their fraction. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the offset of a zone from UTC, in ms, positive in the east.
 *
 * @param at ms since the epoch
 */
export function utcOffset(at: number, zone?: string): number {
  // `Date` follows a machine that changes its zone; a format of `Intl` keeps the zone that it was made in.
  if (zone === undefined) return -new Date(at).getTimezoneOffset() * MINUTE_MS;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // `GMT`, `GMT-03:30`; with seconds before there were time zones.
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+\-−])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
  return sign === undefined || sign === '+' ? offset : -offset;
}

/**
 * Returns the offset of a zone from UTC as people read it: `UTC+02:00`.
 *
 * @param at ms since the epoch
 */
export function formatUtcOffset(at: number, zone?: string): string {
  const offset = utcOffset(at, zone);
  return `UTC${offset < 0 ? '-' : '+'}${new Date(Math.abs(offset)).toISOString().slice(11, 16)}`;
}

/**
 * Adds the offset to a text that shows a local time which occurs twice: `02:30 UTC+02:00`. Other local times need none.
 *
 * @param text the moment in the zone, without its offset
 * @param at ms since the epoch
 */
export function withOffset(text: string, at: number, zone?: string): string {
  const isAmbiguous = momentsAtWall(at + utcOffset(at, zone), zone).length > 1;
  return isAmbiguous ? `${text} ${formatUtcOffset(at, zone)}` : text;
}

/**
 * Returns the local date and time of a moment to the minute, as an input `datetime-local` takes it.
 *
 * @param at ms since the epoch
 */
export function toLocalTime(at: number, zone?: string): string {
  return new Date(at + utcOffset(at, zone)).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** What a local date and time means. All moments are in ms since the epoch. */
export type LocalTimeMeaning =
  /** Not a date and time in the years 0 to 9999. */
  | { readonly kind: 'invalid' }
  /** It occurs once, or twice: the earlier moment is first. */
  | { readonly kind: 'moments'; readonly moments: readonly [number, ...number[]] }
  /** Clocks skip it. `next` is the moment at which they do, so the first one after the gap. */
  | { readonly kind: 'skipped'; readonly next: number };

/**
 * Finds the moments that a local date and time means.
 *
 * @param text as an input `datetime-local` gives it
 */
export function readLocalTime(text: string, zone?: string): LocalTimeMeaning {
  const wall = LOCAL_TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  // 30 February is taken as 2 March by some platforms.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(text)) return { kind: 'invalid' };
  const [first, ...others] = momentsAtWall(wall, zone);
  return first === undefined
    ? { kind: 'skipped', next: endOfGap(wall, zone) }
    : { kind: 'moments', moments: [first, ...others] };
}

/**
 * Returns the first moment of a local day: not always its midnight, which some zones skip, and others have twice.
 *
 * @param day `2027-10-31`
 * @returns ms since the epoch; for a day that is skipped, the moment at which it is; `NaN` for what is not a day
 */
export function startOfLocalDay(day: string, zone?: string): number {
  const meaning = readLocalTime(`${day}T00:00`, zone);
  if (meaning.kind === 'invalid') return Number.NaN;
  return meaning.kind === 'skipped' ? meaning.next : meaning.moments[0];
}

/**
 * The moments at which clocks show a time, earliest first. No zone changes its offset twice within two days, and no offset
 * is a day: so those a day before and after are all that come into question.
 *
 * @param wall the local time as if it were UTC, in ms since the epoch
 */
function momentsAtWall(wall: number, zone: string | undefined): number[] {
  return [...new Set(offsetsAround(wall, zone))]
    .map((offset) => wall - offset)
    .filter((at) => at + utcOffset(at, zone) === wall)
    .sort((a, b) => a - b);
}

function offsetsAround(wall: number, zone: string | undefined): readonly [before: number, after: number] {
  return [utcOffset(wall - DAY_MS, zone), utcOffset(wall + DAY_MS, zone)];
}

/** The moment at which clocks skip a time. @param wall a time that no moment has */
function endOfGap(wall: number, zone: string | undefined): number {
  const [before, after] = offsetsAround(wall, zone);
  // By the offset after the gap the time is still before it, by the other one no longer.
  let [low, high] = [wall - after, wall - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (utcOffset(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}
