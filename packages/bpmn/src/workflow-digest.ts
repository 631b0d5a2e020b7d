import { createHash } from 'node:crypto';

/** Returns the digest that identifies a version of a workflow: `sha256:<hex>` over the bytes of its BPMN file. */
export function computeWorkflowDigest(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
