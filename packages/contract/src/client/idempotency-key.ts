/**
 * Creates a key. It must be unique, not secret (a key applies within its principal), so a fallback suffices on a
 * platform without `crypto` (Node 16) or `randomUUID` (which needs https in a browser).
 */
export function createIdempotencyKey(): string {
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
