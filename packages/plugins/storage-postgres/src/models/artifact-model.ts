import type { RunArtifact } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class ArtifactModel extends BaseModel {
  static override tableName = 'artifacts';
  static override idColumn = 'artifact_id';

  declare artifactId: string;
  declare runId: string;
  declare name: string;
  declare version: number;
  declare size: number;
  declare sha256: string;
  declare contentType: string;
  declare createdAt: number;
  declare createdBy: string;

  toRecord(): RunArtifact {
    return {
      artifactId: this.artifactId,
      runId: this.runId,
      name: this.name,
      version: this.version,
      size: this.size,
      sha256: this.sha256,
      contentType: this.contentType,
      createdAt: this.createdAt,
      createdBy: this.createdBy,
    };
  }
}
