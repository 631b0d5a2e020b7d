import type { Readable } from 'node:stream';

/**
 * Reads a range of bytes from a stream and destroys the stream.
 *
 * @param offset offset of the first byte
 * @param length maximum number of bytes
 */
export async function readRange(content: Readable, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let position = 0;
  let remaining = length;
  for await (const chunk of content) {
    const bytes = Buffer.from(chunk as Buffer | string);
    const from = Math.max(0, offset - position);
    position += bytes.length;
    const part = bytes.subarray(from, from + remaining);
    if (part.length > 0) parts.push(part);
    remaining -= part.length;
    // Leaving the loop destroys the stream.
    if (remaining === 0) break;
  }
  return Buffer.concat(parts);
}

/**
 * Decodes bytes as UTF-8 text, without an incomplete character at the end.
 *
 * @param isEnd whether the content ends with these bytes
 * @returns `undefined` if the bytes are not UTF-8 text
 */
export function decodeText(
  bytes: Buffer,
  isEnd: boolean,
): { readonly text: string; readonly length: number } | undefined {
  const length = isEnd ? bytes.length : countCompleteCharacterBytes(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length));
    // PostgreSQL cannot store NUL, and text does not normally contain it.
    return text.includes('\0') ? undefined : { text, length };
  } catch {
    return undefined;
  }
}

/**
 * Returns the number of bytes without an incomplete character at the end. A character has up to three continuation
 * bytes (RFC 3629, 3).
 */
function countCompleteCharacterBytes(bytes: Buffer): number {
  for (let distance = 1; distance <= Math.min(4, bytes.length); distance += 1) {
    const byte = bytes[bytes.length - distance] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return distance < utf8SequenceLength(byte) ? bytes.length - distance : bytes.length;
  }
  return bytes.length;
}

function utf8SequenceLength(leadByte: number): number {
  if (leadByte >= 0xf0) return 4;
  return leadByte >= 0xe0 ? 3 : 2;
}
