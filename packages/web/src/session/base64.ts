/** Encodes bytes (RFC 4648, 4); `Uint8Array.prototype.toBase64` is too new for the supported browsers. */
export function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** @throws {DOMException} if the text is not base64 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
