import type { Json, JsonObject, WorkflowVersionRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class WorkflowVersionModel extends BaseModel {
  static override tableName = 'workflow_versions';
  static override idColumn = ['workflow_id', 'version'];

  declare workflowId: string;
  declare version: number;
  declare digest: string;
  declare name: string | null;
  declare description: string | null;
  declare inputSchema: JsonObject | null;
  declare elements: Json;
  declare bpmnXml: string;
  declare deployedAt: number;
  declare deployedBy: string;
  /** Whether no later version of the workflow exists. */
  declare newest: boolean;

  /** Everything but the model itself, which may be large. */
  static readonly listColumns = Object.freeze([
    'workflow_id',
    'version',
    'digest',
    'name',
    'description',
    'input_schema',
    'elements',
    'deployed_at',
    'deployed_by',
  ]);

  toSummary(): Omit<WorkflowVersionRecord, 'bpmnXml'> {
    return {
      workflowId: this.workflowId,
      version: this.version,
      digest: this.digest,
      name: this.name,
      description: this.description,
      inputSchema: this.inputSchema,
      elements: this.elements,
      deployedAt: this.deployedAt,
      deployedBy: this.deployedBy,
    };
  }

  toRecord(): WorkflowVersionRecord {
    return { ...this.toSummary(), bpmnXml: this.bpmnXml };
  }
}
