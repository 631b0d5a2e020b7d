import { hash, randomBytes } from 'node:crypto';

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

/**
 * An id that is made of another one and of names: the same whenever it is made again. A UUIDv7 (RFC 9562, 5.7) with the
 * time of the other one, and a hash (as version 5, RFC 9562, 5.5) in the place of the random bits. So, unlike a counted id,
 * it can be the id of a run, whose counted ids must not be those of another run.
 */
export function derivedId(id: string, ...names: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify([id, ...names]), 'hex');
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
  const bytes = randomBytes(10);
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  bytes[2] = (bytes.readUInt8(2) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${hex.slice(0, 3)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
