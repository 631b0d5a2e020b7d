import { sha256Hex } from '@countersign/core/engine';

/**
 * The id of what a job puts into its run: the same for the same job, name and bytes, so that a job that is done again
 * after a crash leaves one version behind and not two. A valid UUIDv7 (RFC 9562, 5.7) with the time of the job's id.
 *
 * @param sha256 of the bytes, hex.
 */
export function jobArtifactId(jobId: string, name: string, sha256: string): string {
  const digest = sha256Hex(JSON.stringify([jobId, name, sha256]));
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${jobId.slice(0, 13)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}
