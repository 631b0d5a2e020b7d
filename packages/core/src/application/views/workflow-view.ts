import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { ModelProblem } from '../../errors/model-refused-error.js';
import type { PlannedDeployment } from '../../ports/engine.js';
import type { WorkflowVersionRecord } from '../../ports/records.js';
import { timestamp } from './as-response.js';

type VersionRecord = Omit<WorkflowVersionRecord, 'bpmnXml'>;

export type WorkflowVersionView = { version: number; digest: string; deployedAt: string; deployedBy: string };
export type WorkflowElementView = { elementId: string; type: string; name: string | null };

export type WorkflowView = {
  workflowId: string;
  name: string | null;
  version: number;
  versions: WorkflowVersionView[];
  digest: string;
  description: string | null;
  inputSchema: JsonObject | null;
  elements: WorkflowElementView[];
};

export type WorkflowDetailView = WorkflowView & { bpmnXml: string };

export type ModelWarningView = {
  severity: 'error' | 'warning';
  rule: string;
  elementId: string | null;
  message: string;
};

/** The first workflow of a file, what else was in it, and what the checks say of it. */
export type DeployedWorkflowView = WorkflowDetailView & {
  alsoDeployed: { workflowId: string; version: number }[];
  warnings: ModelWarningView[];
};

/** What a deployment of a file would do, or what it would be refused for. */
export type DeploymentPlanView = {
  dryRun: true;
  processes: { workflowId: string; name: string | null; version: number; unchanged: boolean }[];
  refusals: { elementId: string | null; code: string; message: string; line: number | null }[];
  warnings: ModelWarningView[];
  elements: WorkflowElementView[];
};

export function deploymentPlanView({ processes, warnings }: PlannedDeployment): DeploymentPlanView {
  return {
    dryRun: true,
    processes: processes.map(({ workflowId, name, version, unchanged }) => ({ workflowId, name, version, unchanged })),
    refusals: [],
    warnings: warnings.map((warning) => ({ ...warning })),
    elements: processes.flatMap(({ elements }) => elementViews(elements)),
  };
}

export function refusedDeploymentView(problems: readonly ModelProblem[]): DeploymentPlanView {
  const refusals = problems.map(({ elementId, code, message, line = null }) => ({ elementId, code, message, line }));
  return { dryRun: true, processes: [], refusals, warnings: [], elements: [] };
}

/** One version of a workflow, with the list of all of them, newest first. */
export function workflowView(record: VersionRecord, versions: readonly VersionRecord[]): WorkflowView {
  return {
    workflowId: record.workflowId,
    name: record.name,
    version: record.version,
    versions: [...versions].sort((a, b) => b.version - a.version).map(versionView),
    digest: record.digest,
    description: record.description,
    inputSchema: record.inputSchema,
    elements: elementViews(record.elements),
  };
}

function versionView({ version, digest, deployedAt, deployedBy }: VersionRecord): WorkflowVersionView {
  return { version, digest, deployedAt: timestamp(deployedAt), deployedBy };
}

function elementViews(elements: Json): WorkflowElementView[] {
  if (!Array.isArray(elements)) return [];
  return elements.filter(isJsonObject).map(({ elementId, type, name }) => ({
    elementId: String(elementId),
    type: String(type),
    name: typeof name === 'string' ? name : null,
  }));
}
