/** Upper limit, because the server's clock may be wrong or the server hostile. */
const LONGEST_MS = 3_600_000;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns the delay that a server requests, in ms: `retry-after-ms`, `retry-after` (RFC 9110, 10.2.3: seconds or a
 * date), or the latest reset of the exhausted limits in the formats of OpenAI (`x-ratelimit-reset-requests: 6m0s`),
 * Anthropic (`anthropic-ratelimit-tokens-reset`, RFC 3339) and others (`x-ratelimit-reset`: seconds, or a time since
 * the epoch).
 *
 * @param now milliseconds since the epoch
 * @param inBody delay requested in the body, in ms; headers take precedence
 */
export function retryAfterMs(headers: Headers, now: number, inBody?: number): number | undefined {
  const asked =
    milliseconds(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), now) ??
    latestReset(headers, now) ??
    inBody;
  return asked === undefined ? undefined : Math.min(Math.max(0, Math.ceil(asked)), LONGEST_MS);
}

function milliseconds(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function secondsOrDate(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const seconds = milliseconds(text);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

function latestReset(headers: Headers, now: number): number | undefined {
  let latest: number | undefined;
  for (const [name, value] of headers) {
    const limit = /^(x|anthropic)-ratelimit-(?:(.+)-)?reset(?:-(.+))?$/.exec(name);
    if (limit === null || !isUsedUp(headers, limit)) continue;
    const wait = timeOf(value, now);
    if (wait !== undefined && wait > (latest ?? 0)) latest = wait;
  }
  return latest;
}

/** Returns whether a limit is exhausted. Other limits do not determine the delay. */
function isUsedUp(headers: Headers, [, vendor, before, after]: readonly (string | undefined)[]): boolean {
  const remaining = headers.get(
    before !== undefined
      ? `${vendor}-ratelimit-${before}-remaining`
      : after !== undefined
        ? `${vendor}-ratelimit-remaining-${after}`
        : `${vendor}-ratelimit-remaining`,
  );
  return remaining === null ? before === undefined && after === undefined : Number(remaining) <= 0;
}

function timeOf(text: string, now: number): number | undefined {
  const number = milliseconds(text);
  // A small number counts from now, a large one from the epoch, in seconds or milliseconds.
  if (number !== undefined) return number < 1e9 ? number * 1_000 : (number < 1e11 ? number * 1_000 : number) - now;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text.trim())
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}
