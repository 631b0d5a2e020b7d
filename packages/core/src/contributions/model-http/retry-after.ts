/** Upper limit, because the server's clock may be wrong or the server hostile. */
const MAX_WAIT_MS = 3_600_000;

const MS_PER_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns the delay that a server requests, in ms: `retry-after-ms`, `retry-after` (RFC 9110, 10.2.3: seconds or a
 * date), or the latest reset of the exhausted limits in the formats of OpenAI (`x-ratelimit-reset-requests: 6m0s`),
 * Anthropic (`anthropic-ratelimit-tokens-reset`, RFC 3339) and others (`x-ratelimit-reset`: seconds, or a time since
 * the epoch).
 *
 * @param now milliseconds since the epoch
 * @param bodyDelayMs delay requested in the body, in ms; headers take precedence
 */
export function parseRetryAfterMs(headers: Headers, now: number, bodyDelayMs?: number): number | undefined {
  const requestedMs =
    parseNumber(headers.get('retry-after-ms')) ??
    parseSecondsOrDate(headers.get('retry-after'), now) ??
    findLatestReset(headers, now) ??
    bodyDelayMs;
  return requestedMs === undefined ? undefined : Math.min(Math.max(0, Math.ceil(requestedMs)), MAX_WAIT_MS);
}

function parseNumber(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function parseSecondsOrDate(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  const seconds = parseNumber(text);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}

function findLatestReset(headers: Headers, now: number): number | undefined {
  let latest: number | undefined;
  for (const [name, value] of headers) {
    const match = /^(x|anthropic)-ratelimit-(?:(.+)-)?reset(?:-(.+))?$/.exec(name);
    if (match === null || !isLimitExhausted(headers, match)) continue;
    const wait = parseWaitMs(value, now);
    if (wait !== undefined && wait > (latest ?? 0)) latest = wait;
  }
  return latest;
}

/** Returns whether a limit is exhausted. Other limits do not determine the delay. */
function isLimitExhausted(
  headers: Headers,
  [, vendor, limitPrefix, limitSuffix]: readonly (string | undefined)[],
): boolean {
  const remaining = headers.get(
    limitPrefix !== undefined
      ? `${vendor}-ratelimit-${limitPrefix}-remaining`
      : limitSuffix !== undefined
        ? `${vendor}-ratelimit-remaining-${limitSuffix}`
        : `${vendor}-ratelimit-remaining`,
  );
  return remaining === null ? limitPrefix === undefined && limitSuffix === undefined : Number(remaining) <= 0;
}

function parseWaitMs(text: string, now: number): number | undefined {
  const number = parseNumber(text);
  // A small number counts from now, a large one from the epoch, in seconds or milliseconds.
  if (number !== undefined) return number < 1e9 ? number * 1_000 : (number < 1e11 ? number * 1_000 : number) - now;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text.trim())
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (MS_PER_UNIT[unit ?? ''] ?? 0), 0);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date - now;
}
