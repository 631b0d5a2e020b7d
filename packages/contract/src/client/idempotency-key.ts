/**
 * Creates an idempotency key. It must be unique but not secret (keys are separate for each principal), so `Math.random`
 * suffices on a platform without `crypto` (Node 16). `crypto.randomUUID` is not used, because browsers support it only
 * over HTTPS.
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
