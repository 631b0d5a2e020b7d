/** The bytes of an artifact, or that they are more than is shown. */
export type EvidenceContent =
  | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'too-large' };

/** Where evidence is read from; the same by whatever way the host gets at it. */
export interface EvidenceSource {
  load(runId: string, name: string, version: number, signal: AbortSignal): Promise<EvidenceContent>;
  /** Hands the file to the person. */
  download(runId: string, name: string, version: number): void;
}

/** More than this is not shown, in bytes. */
export const MAX_SHOWN_BYTES = 1024 * 1024;

export type EvidenceKind = 'markdown' | 'json' | 'text' | 'image' | 'binary';

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** How a file is shown. SVG and HTML are shown as the text that they are: drawn, they could do and pretend whatever they like. */
export function evidenceKind(contentType: string, name: string): EvidenceKind {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (IMAGES.includes(type)) return 'image';
  if (type === 'text/markdown' || (type === 'text/plain' && /\.(md|markdown)$/i.test(name))) return 'markdown';
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

/**
 * The text of evidence, with all that is in it (a byte order mark too); `undefined` for what is no text. Bytes that are not
 * UTF-8 make no text, whatever the type says: replaced, different bytes would look the same.
 */
export function textOfEvidence(
  { bytes, contentType }: Extract<EvidenceContent, { kind: 'bytes' }>,
  name: string,
): string | undefined {
  const kind = evidenceKind(contentType, name);
  if (kind === 'image' || kind === 'binary') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether bytes are those of a digest; `undefined` where the platform can't tell (a page without TLS). */
export async function isOfDigest(bytes: Uint8Array<ArrayBuffer>, sha256: string): Promise<boolean | undefined> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === sha256.replace(/^sha256:/, '').toLowerCase();
}
