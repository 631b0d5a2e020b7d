let lastMs = Number.NaN;
let lastText = '';

/**
 * A time in RFC 3339, UTC, with milliseconds. What belongs to one command has one time, so the last text is kept.
 *
 * @param ms milliseconds since the epoch
 */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
