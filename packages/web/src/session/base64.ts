/** Encodes bytes in base64 (RFC 4648, 4). Some supported browsers do not have `Uint8Array.prototype.toBase64`. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Decodes base64 (RFC 4648, 4).
 *
 * @throws {DOMException} if the text is not base64
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
