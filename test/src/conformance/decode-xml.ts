const DECLARATION = /^(?:\uFEFF)?<\?xml\b[^>]*?\bencoding=["']([^"']+)["'][^>]*\?>/;

/**
 * Converts a model to UTF-8, as the API requires: these tests concern the model, not its encoding, which would
 * otherwise be the only reason to refuse it.
 *
 * @throws {RangeError} the encoding is unknown
 */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = DECLARATION.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  return text.replace(DECLARATION, (declaration) => declaration.replace(encoding, 'UTF-8'));
}
