import type { Json, JsonObject } from '@countersign/core/plugin';
import type { WorkflowVersionRecord } from '@countersign/core/ports';

/** Row of `workflow_versions`. */
export interface WorkflowVersionRow {
  readonly workflow_id: string;
  readonly version: number;
  readonly digest: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly input_schema: JsonObject | null;
  readonly elements: Json;
  readonly bpmn_xml: string;
  readonly deployed_at: number;
  readonly deployed_by: string;
  /** Whether no later version of the workflow exists. */
  readonly newest: boolean;
}

/** All columns except the BPMN model, which may be large. */
export const WORKFLOW_LIST_COLUMNS = Object.freeze([
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

export function toWorkflowSummary(row: WorkflowVersionRow): Omit<WorkflowVersionRecord, 'bpmnXml'> {
  return {
    workflowId: row.workflow_id,
    version: row.version,
    digest: row.digest,
    name: row.name,
    description: row.description,
    inputSchema: row.input_schema,
    elements: row.elements,
    deployedAt: row.deployed_at,
    deployedBy: row.deployed_by,
  };
}

export function toWorkflowVersion(row: WorkflowVersionRow): WorkflowVersionRecord {
  return { ...toWorkflowSummary(row), bpmnXml: row.bpmn_xml };
}
