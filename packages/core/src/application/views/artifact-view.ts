import type { ArtifactRecord } from '@countersign/model';
import { timestamp } from './as-response.js';

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

export function artifactView(artifact: ArtifactRecord): ArtifactView {
  const { artifactId, name, version, size, sha256, contentType, createdAt, createdBy } = artifact;
  return { artifactId, name, version, size, sha256, contentType, createdAt: timestamp(createdAt), createdBy };
}

/** Returns the newest version of each name, in the order in which the names first appear. */
export function newestVersions<T extends ArtifactRecord>(artifacts: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const artifact of artifacts) {
    const known = newest.get(artifact.name);
    if (known === undefined || known.version < artifact.version) newest.set(artifact.name, artifact);
  }
  return [...newest.values()];
}
