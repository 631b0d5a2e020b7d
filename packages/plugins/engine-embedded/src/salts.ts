import { randomFillSync } from 'node:crypto';

const SALT_BYTES = 16;

/** Returns a source of salts: 16 random bytes as hex. Draws many at a time, because each draw is a system call. */
export function saltSource(): () => string {
  const pool = Buffer.alloc(SALT_BYTES * 256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += SALT_BYTES;
    return pool.toString('hex', used - SALT_BYTES, used);
  };
}
