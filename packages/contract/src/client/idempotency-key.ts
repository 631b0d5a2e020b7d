/**
 * A new key. It must be unique, not secret (a key counts within its principal), so a platform without
 * `crypto` (Node 16), or with a part of it (`randomUUID` needs https in a browser), makes do.
 */
export function newIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  const { crypto } = globalThis as { crypto?: { getRandomValues(array: Uint8Array): unknown } };
  if (crypto) {
    crypto.getRandomValues(bytes);
  } else {
    bytes.forEach((_, index) => {
      bytes[index] = Math.floor(Math.random() * 256);
    });
  }
  return `${Date.now().toString(36)}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
