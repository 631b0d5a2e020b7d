import { randomFillSync } from 'node:crypto';

const SALT_BYTES = 16;

/** Gives salts of 16 random bytes as hex, drawn many at a time, because one draw each is a system call each. */
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
