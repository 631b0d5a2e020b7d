import { sha256Hex } from '#sha256';

/**
 * Returns an id computed from a counter instead of random values.
 *
 * `advance()` must create the same ids whenever it is replayed, so a step, job or approval id is derived from the run's
 * own (random) UUIDv7, a counter of the run, and the time of the command. The result is still a valid UUIDv7 (RFC 9562,
 * 5.7), sorted by time, and unique, since it keeps the random part of the run id.
 */
export function createSequentialId(runId: string, counter: number, nowMs: number): string {
  return `${formatTimeBits(nowMs)}-7${THREE_DIGIT_HEX[counter & 0xfff] ?? ''}-${computeLowerHalf(runId, Math.floor(counter / 0x1000) >>> 0)}`;
}

/** All 12-bit numbers as three hexadecimal digits. */
const THREE_DIGIT_HEX = Array.from({ length: 0x1000 }, (_, value) => value.toString(16).padStart(3, '0'));

let lastMs = Number.NaN;
let lastTime = '';

/**
 * Returns the 48 bits of the time (RFC 9562, 5.7). All ids of a command have the same time, so the last text is cached.
 */
function formatTimeBits(nowMs: number): string {
  if (nowMs !== lastMs) {
    const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
    lastTime = `${time.slice(0, 8)}-${time.slice(8, 12)}`;
    lastMs = nowMs;
  }
  return lastTime;
}

let lastRunId = '';
let lastHigh = 0;
let lastHalf = '';

/**
 * Returns the variant and random bits of a sequential id. The upper bits of the counter are mixed into the 32 bits
 * after the variant; the run's other 30 random bits stay. The ids of a command differ only in the lower bits, so the
 * last text is cached.
 */
function computeLowerHalf(runId: string, high: number): string {
  if (runId !== lastRunId || high !== lastHigh) {
    const mixed = ((Number.parseInt(runId.slice(28, 36), 16) ^ high) >>> 0).toString(16).padStart(8, '0');
    lastHalf = `${runId.slice(19, 23)}-${runId.slice(24, 28)}${mixed}`;
    lastRunId = runId;
    lastHigh = high;
  }
  return lastHalf;
}

/**
 * Returns an id derived from another id and from names, always the same for the same input. It is a UUIDv7 (RFC 9562,
 * 5.7) with the time of the other id, and a hash (as in version 5, RFC 9562, 5.5) in place of the random bits. Unlike a
 * sequential id, it can be the id of a run, because the sequential ids of different runs must differ.
 */
export function deriveId(id: string, ...names: readonly string[]): string {
  const digest = sha256Hex(JSON.stringify([id, ...names]));
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${id.slice(0, 13)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns whether a text is a UUID in its canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns a random UUIDv7 (RFC 9562, 5.7). Not for `advance()`, which uses sequential ids. */
export function createRandomId(nowMs: number): string {
  // The same 74 bits of a UUIDv4 are random, and Node.js generates UUIDv4s in batches.
  return `${formatTimeBits(nowMs)}-7${crypto.randomUUID().slice(15)}`;
}
