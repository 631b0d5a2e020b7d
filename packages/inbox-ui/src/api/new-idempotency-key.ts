/**
 * Returns a new idempotency key. It must be unique but not secret. `crypto.randomUUID` would require a secure context
 * (HTTPS).
 */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
