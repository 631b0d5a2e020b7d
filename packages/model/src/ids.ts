import { sha256Hex } from '#sha256';

/**
 * Ids that are counted, not drawn.
 *
 * `advance()` must give the same ids whenever it is replayed, so a step, job or approval id is made from the run's own
 * (random) UUIDv7, a counter of the run, and the time of the command: still a valid UUIDv7 (RFC 9562, 5.7), sorted by
 * time, and unique, since the random part of the run id stays in it.
 */
export function sequentialId(runId: string, counter: number, nowMs: number): string {
  return `${timeText(nowMs)}-7${HEX_3[counter & 0xfff] ?? ''}-${lowerHalf(runId, Math.floor(counter / 0x1000) >>> 0)}`;
}

/** The last twelve bits of a counter in hexadecimal. */
const HEX_3 = Array.from({ length: 0x1000 }, (_, value) => value.toString(16).padStart(3, '0'));

let lastMs = Number.NaN;
let lastTime = '';

/** The 48 bits of the time (RFC 9562, 5.7). The ids of one command have one time, so the last text is kept. */
function timeText(nowMs: number): string {
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
 * Variant and random bits of a counted id. The upper bits of the counter are mixed into the 32 bits behind the variant; the
 * run's other 30 random bits stay. The ids of one command differ in the lower bits alone, so the last text is kept.
 */
function lowerHalf(runId: string, high: number): string {
  if (runId !== lastRunId || high !== lastHigh) {
    const mixed = ((Number.parseInt(runId.slice(28, 36), 16) ^ high) >>> 0).toString(16).padStart(8, '0');
    lastHalf = `${runId.slice(19, 23)}-${runId.slice(24, 28)}${mixed}`;
    lastRunId = runId;
    lastHigh = high;
  }
  return lastHalf;
}

/**
 * An id that is made of another one and of names: the same whenever it is made again. A UUIDv7 (RFC 9562, 5.7) with the
 * time of the other one, and a hash (as version 5, RFC 9562, 5.5) in the place of the random bits. So, unlike a counted id,
 * it can be the id of a run, whose counted ids must not be those of another run.
 */
export function derivedId(id: string, ...names: readonly string[]): string {
  const digest = sha256Hex(JSON.stringify([id, ...names]));
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${id.slice(0, 13)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in its canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A random UUIDv7 (RFC 9562, 5.7). Not for `advance()`, which counts its ids. */
export function randomId(nowMs: number): string {
  // A random UUIDv4 has the same 74 bits at random, and Node.js draws them many at a time.
  return `${timeText(nowMs)}-7${crypto.randomUUID().slice(15)}`;
}
