import { randomBytes } from 'node:crypto';

/** Returns a UUIDv7 (RFC 9562, 5.7): a time (ms since the epoch), by which the UUIDs are sorted, and random bits. */
export function uuidV7(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0');
  const random = randomBytes(10);
  random[0] = ((random[0] ?? 0) & 0x0f) | 0x70;
  random[2] = ((random[2] ?? 0) & 0x3f) | 0x80;
  const hex = random.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}

/** Maximum of the 48-bit time of a UUIDv7: in the year 10889. */
const MAX_TIME_MS = 2 ** 48 - 1;

/** Returns the smallest UUID of a time, as a bound for ranges of UUIDv7 keys. */
export function minUuid(at: number): string {
  const time = Math.min(MAX_TIME_MS, Math.max(0, Math.floor(at)))
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
