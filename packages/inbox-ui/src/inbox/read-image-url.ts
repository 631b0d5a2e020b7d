/** An image in a `data:` URL. */
export interface EmbeddedImage {
  /** Media type, such as `image/png`. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const IMAGE_URL = /^data:(image\/(?:png|jpeg|gif|webp|avif));base64,([A-Za-z0-9+/]+={0,2})$/;

/**
 * Returns the image in a `data:` URL; `undefined` if the text is something else, or if the first bytes do not match the
 * declared type. SVG is not an image here, because it can contain scripts, text and links.
 */
export function readImageUrl(text: string): EmbeddedImage | undefined {
  const [, type, data] = IMAGE_URL.exec(text) ?? [];
  const bytes = data === undefined ? undefined : decodeBase64(data);
  return type !== undefined && bytes !== undefined && hasSignature(type, bytes) ? { type, bytes } : undefined;
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns whether the bytes start like a file of the type. */
function hasSignature(type: string, bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, MAX_SIGNATURE_BYTES));
  return SIGNATURES[type]?.test(start) === true;
}

const MAX_SIGNATURE_BYTES = 64;

/** Patterns of the first bytes, as Latin-1 characters. The `ftyp` box of AVIF lists its brands (ISO 14496-12, 4.3). */
const SIGNATURES: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\cZ\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/avif': /^.{4}ftyp(?:.{4})*?avi[fs]/s,
};
