import { randomFillSync } from 'node:crypto';

const SALT_BYTES = 16;

/** Returns a source of salts: 16 random bytes as hex. Draws many at a time, because each draw is a system call. */
export function createSaltSource(): () => string {
  const pool = Buffer.alloc(SALT_BYTES * 256);
  let offset = pool.length;
  return () => {
    if (offset === pool.length) {
      randomFillSync(pool);
      offset = 0;
    }
    offset += SALT_BYTES;
    return pool.toString('hex', offset - SALT_BYTES, offset);
  };
}
