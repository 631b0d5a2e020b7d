const DECLARATION = /^(?:\uFEFF)?<\?xml\b[^>]*?\bencoding=["']([^"']+)["'][^>]*\?>/;

/**
 * A model in UTF-8, as the API wants it: what is asked here is what becomes of the model, not of its encoding, which would
 * otherwise be the only reason to refuse it. @throws {RangeError} for encodings that nobody knows.
 */
export function asUtf8(bytes: Uint8Array): string {
  const encoding = DECLARATION.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  return text.replace(DECLARATION, (declaration) => declaration.replace(encoding, 'UTF-8'));
}
