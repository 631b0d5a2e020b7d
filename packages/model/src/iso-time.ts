const DAY_MS = 86_400_000;
/** From this time on, years have more than four digits and are written with a sign. */
const YEAR_10000_MS = 253_402_300_800_000;

const TWO_DIGITS = padNumbers(60, 2);
const THREE_DIGITS = padNumbers(1_000, 3);

let lastMs = Number.NaN;
let lastText = '';
let dayMs = Number.NaN;
let dayText = '';

/**
 * Returns a time in RFC 3339, UTC, with milliseconds. Same result as `Date.toISOString()` in half the time, because
 * every row that is written or listed contains a time. Consecutive calls mostly have the same time (one command) or the
 * same day, so the last text and the last day are cached.
 *
 * @param ms milliseconds since the epoch
 * @throws {RangeError} if `ms` is not a valid time
 */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = formatIsoTime(ms);
    lastMs = ms;
  }
  return lastText;
}

function formatIsoTime(ms: number): string {
  if (!Number.isInteger(ms) || ms < 0 || ms >= YEAR_10000_MS) return new Date(ms).toISOString();
  const msOfDay = ms % DAY_MS;
  if (ms - msOfDay !== dayMs) {
    dayMs = ms - msOfDay;
    dayText = new Date(dayMs).toISOString().slice(0, 'yyyy-mm-ddT'.length);
  }
  const seconds = Math.floor(msOfDay / 1_000);
  const hour = TWO_DIGITS[Math.floor(seconds / 3_600)] ?? '';
  const minute = TWO_DIGITS[Math.floor(seconds / 60) % 60] ?? '';
  return `${dayText}${hour}:${minute}:${TWO_DIGITS[seconds % 60] ?? ''}.${THREE_DIGITS[msOfDay % 1_000] ?? ''}Z`;
}

function padNumbers(count: number, width: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => String(number).padStart(width, '0'));
}
