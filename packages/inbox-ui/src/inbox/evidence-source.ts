/** The bytes of an artifact, or the notice that they exceed the display limit. */
export type EvidenceContent =
  | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' };

/** Source of evidence, independent of how the host reads it. */
export interface EvidenceSource {
  load(runId: string, name: string, version: number, signal: AbortSignal): Promise<EvidenceContent>;
  /** Downloads the file for the user. */
  download(runId: string, name: string, version: number): void;
}

/** Display limits, in bytes. The desktop client has the same. */
const MAX_SHOWN_BYTES = 1024 * 1024;
const MAX_SHOWN_PDF_BYTES = 16 * 1024 * 1024;

export type EvidenceKind = 'markdown' | 'json' | 'csv' | 'tsv' | 'text' | 'image' | 'pdf' | 'binary';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/**
 * Returns how a file is displayed. SVG and HTML are displayed as source text, because they could run code or imitate
 * the application if they were rendered.
 */
export function getEvidenceKind(contentType: string, name: string): EvidenceKind {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === 'application/pdf' || (['', 'application/octet-stream'].includes(type) && /\.pdf$/i.test(name)))
    return 'pdf';
  if (IMAGE_TYPES.includes(type)) return 'image';
  if (type === 'text/markdown' || (type === 'text/plain' && /\.(md|markdown)$/i.test(name))) return 'markdown';
  const tableType = type === 'text/plain' ? /\.([ct]sv)$/i.exec(name)?.[1]?.toLowerCase() : undefined;
  if (type === 'text/csv' || tableType === 'csv') return 'csv';
  if (type === 'text/tab-separated-values' || tableType === 'tsv') return 'tsv';
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  if (
    type.startsWith('text/') ||
    type.endsWith('+xml') ||
    [
      'application/xml',
      'application/yaml',
      'application/x-yaml',
      'application/javascript',
      'application/sql',
      'application/toml',
    ].includes(type)
  )
    return 'text';
  return 'binary';
}

/** Returns the size up to which a file is displayed, in bytes. */
export function getMaxShownBytes(contentType: string, name: string): number {
  return getEvidenceKind(contentType, name) === 'pdf' ? MAX_SHOWN_PDF_BYTES : MAX_SHOWN_BYTES;
}

/**
 * Returns the text of evidence unchanged (byte order mark included); `undefined` if it is not text. Bytes that are not
 * UTF-8 are never text, whatever the content type: with replacement characters, different bytes would look the same.
 */
export function decodeEvidenceText(
  { bytes, contentType }: Extract<EvidenceContent, { kind: 'bytes' }>,
  name: string,
): string | undefined {
  const kind = getEvidenceKind(contentType, name);
  if (kind === 'image' || kind === 'pdf' || kind === 'binary') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns whether bytes match a digest; `undefined` if the platform cannot compute it (a page without TLS). */
export async function matchesDigest(bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<boolean | undefined> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === sha256.replace(/^sha256:/, '').toLowerCase();
}
