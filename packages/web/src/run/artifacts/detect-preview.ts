import { parseExactJson } from '@countersign/contract';

/** Kind and content of the preview of an artifact. `source` is HTML or SVG: it is shown as text and never rendered. */
export type Preview =
  | { readonly kind: 'image'; readonly type: string }
  | { readonly kind: 'markdown' | 'json' | 'diff' | 'csv' | 'text' | 'source'; readonly text: string }
  | { readonly kind: 'binary' };

/**
 * Maximum number of bytes to read from the start of a file. Images of at most {@link MAX_IMAGE_BYTES} are read whole.
 */
export const MAX_TEXT_BYTES = 1024 * 1024;
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const IMAGE_SIGNATURES: readonly (readonly [string, string, number])[] = [
  ['image/png', '89504e470d0a1a0a', 0],
  ['image/jpeg', 'ffd8ff', 0],
  ['image/gif', '474946383761', 0],
  ['image/gif', '474946383961', 0],
  ['image/webp', '57454250', 8],
];

/**
 * Returns whether a file is declared as an image. Its bytes decide whether it is shown as one (see {@link
 * detectPreview}).
 */
export function isDeclaredImage(contentType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)\b/i.test(contentType);
}

/**
 * Detects the preview of a file, first from its content and then from its name and type. Raster images are detected by
 * their first bytes; text must be UTF-8 without NUL bytes.
 *
 * @param isComplete whether `bytes` is the whole file; if not, a text may end within a character
 */
export function detectPreview(name: string, contentType: string, bytes: Uint8Array, isComplete: boolean): Preview {
  const image = IMAGE_SIGNATURES.find(
    ([, magic, offset]) => toHex(bytes.subarray(offset, offset + magic.length / 2)) === magic,
  );
  if (image !== undefined && (image[0] !== 'image/webp' || toHex(bytes.subarray(0, 4)) === '52494646'))
    return isComplete ? { kind: 'image', type: image[0] } : { kind: 'binary' };
  const text = decodeText(bytes, isComplete);
  if (text === undefined) return { kind: 'binary' };
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (/(?:html|svg)/.test(type) || ['html', 'htm', 'xhtml', 'svg'].includes(extension)) return { kind: 'source', text };
  if (
    type === 'text/markdown' ||
    ((type === 'text/plain' || type === 'application/octet-stream') && ['md', 'markdown'].includes(extension))
  )
    return { kind: 'markdown', text };
  if (type === 'application/json' || type.endsWith('+json') || extension === 'json')
    return isComplete && isJson(text) ? { kind: 'json', text } : { kind: 'text', text };
  if (['text/csv', 'text/tab-separated-values'].includes(type) || ['csv', 'tsv'].includes(extension))
    return { kind: 'csv', text };
  if (
    /^text\/(?:x-)?(?:diff|patch)$/.test(type) ||
    ['diff', 'patch'].includes(extension) ||
    text.startsWith('diff --git ')
  )
    return { kind: 'diff', text };
  return { kind: 'text', text };
}

function decodeText(bytes: Uint8Array, isComplete: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isComplete });
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    parseExactJson(text); // throws if a number cannot be shown exactly as in the artifact
    return true;
  } catch {
    return false;
  }
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
