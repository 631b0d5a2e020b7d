import { randomBytes } from 'node:crypto';

/**
 * Ids that are counted, not drawn.
 *
 * `advance()` must give the same ids whenever it is replayed, so a step, job or approval id is made from the run's own
 * (random) UUIDv7, a counter of the run, and the time of the command: still a valid UUIDv7 (RFC 9562, 5.7), sorted by
 * time, and unique, since the random part of the run id stays in it.
 */
export function countedId(runId: string, counter: number, nowMs: number): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  const low = (counter & 0xfff).toString(16).padStart(3, '0');
  // The upper bits of the counter are mixed into the 32 bits behind the variant; the run's other 30 random bits stay.
  const high = Math.floor(counter / 0x1000) >>> 0;
  const mixed = ((Number.parseInt(runId.slice(28, 36), 16) ^ high) >>> 0).toString(16).padStart(8, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${low}-${runId.slice(19, 23)}-${runId.slice(24, 28)}${mixed}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in its canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A random UUIDv7 (RFC 9562, 5.7). Not for `advance()`, which counts its ids. */
export function randomId(nowMs: number): string {
  const bytes = randomBytes(10);
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  bytes[2] = (bytes.readUInt8(2) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${hex.slice(0, 3)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
