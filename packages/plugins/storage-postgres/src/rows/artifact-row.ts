import type { RunArtifact } from '@countersign/core/ports';

/** Row of `artifacts`. */
export interface ArtifactRow {
  readonly artifact_id: string;
  readonly run_id: string;
  readonly name: string;
  readonly version: number;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  readonly created_at: number;
  readonly created_by: string;
}

export function toArtifact(row: ArtifactRow): RunArtifact {
  return {
    artifactId: row.artifact_id,
    runId: row.run_id,
    name: row.name,
    version: row.version,
    size: row.size,
    sha256: row.sha256,
    contentType: row.content_type,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}
