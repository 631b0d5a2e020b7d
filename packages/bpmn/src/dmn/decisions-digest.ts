import { createHash } from 'node:crypto';

/** Returns the digest that identifies a version of decisions: `sha256:<hex>` over the bytes of their DMN file. */
export function computeDecisionsDigest(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
