import { createHash } from 'node:crypto';

/** Returns the digest that identifies a version of a DMN file: `sha256:<hex>` of its bytes. */
export function computeDecisionsDigest(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
