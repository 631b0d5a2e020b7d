const DECLARATION = /^(?:\uFEFF)?<\?xml\b[^>]*?\bencoding=["']([^"']+)["'][^>]*\?>/;

/**
 * Converts a BPMN model to UTF-8, as the API requires. Otherwise, the API would refuse some models only because of
 * their encoding.
 *
 * @throws {RangeError} if the encoding is unknown
 */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = DECLARATION.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  return text.replace(DECLARATION, (declaration) => declaration.replace(encoding, 'UTF-8'));
}
