import type { ArtifactRecord } from '@countersign/model';
import { toTimestamp } from './to-json-response.js';

/** One version of an artifact. */
export type ArtifactView = {
  artifactId: string;
  name: string;
  version: number;
  size: number;
  sha256: string;
  contentType: string;
  createdAt: string;
  createdBy: string;
};

export function toArtifactView(artifact: ArtifactRecord): ArtifactView {
  const { artifactId, name, version, size, sha256, contentType, createdAt, createdBy } = artifact;
  return { artifactId, name, version, size, sha256, contentType, createdAt: toTimestamp(createdAt), createdBy };
}

/** Returns the newest version of each name, in the order in which the names first appear. */
export function findNewestVersions<T extends ArtifactRecord>(artifacts: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const artifact of artifacts) {
    const previous = newest.get(artifact.name);
    if (previous === undefined || previous.version < artifact.version) newest.set(artifact.name, artifact);
  }
  return [...newest.values()];
}
