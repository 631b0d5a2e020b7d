import {
  isJsonObject,
  type Json,
  type JsonObject,
  type ModelProblem,
  RUN_START_KINDS,
  type RunStart,
} from '@countersign/model';
import type { PlannedDeployment } from '../../ports/engine.js';
import type { WorkflowVersionRecord } from '../../ports/records.js';
import { toTimestamp } from './to-json-response.js';

type VersionRecord = Omit<WorkflowVersionRecord, 'bpmnXml'>;

export type WorkflowVersionView = { version: number; digest: string; deployedAt: string; deployedBy: string };
export type RunStartView = { -readonly [K in keyof RunStart]: RunStart[K] };
export type WorkflowElementView = { elementId: string; type: string; name: string | null };

export type WorkflowView = {
  workflowId: string;
  name: string | null;
  version: number;
  versions: WorkflowVersionView[];
  digest: string;
  description: string | null;
  inputSchema: JsonObject | null;
  starts: RunStartView[] | null;
  elements: WorkflowElementView[];
};

export type WorkflowDetailView = WorkflowView & { bpmnXml: string };

export type ModelWarningView = {
  severity: 'error' | 'warning';
  rule: string;
  elementId: string | null;
  message: string;
};

/** First workflow of a deployed file, the other workflows in it, and the findings of the model checks. */
export type DeployedWorkflowView = WorkflowDetailView & {
  alsoDeployed: { workflowId: string; version: number }[];
  warnings: ModelWarningView[];
};

/** Plan of a deployment, or the reasons for its refusal. */
export type DeploymentPlanView = {
  dryRun: true;
  processes: { workflowId: string; name: string | null; version: number; unchanged: boolean }[];
  refusals: { elementId: string | null; code: string; message: string; line: number | null }[];
  warnings: ModelWarningView[];
  elements: WorkflowElementView[];
};

export function toDeploymentPlanView({ processes, warnings }: PlannedDeployment): DeploymentPlanView {
  return {
    dryRun: true,
    processes: processes.map(({ workflowId, name, version, unchanged }) => ({ workflowId, name, version, unchanged })),
    refusals: [],
    warnings: warnings.map((warning) => ({ ...warning })),
    elements: processes.flatMap(({ elements }) => toElementViews(elements)),
  };
}

export function toRefusedDeploymentView(problems: readonly ModelProblem[]): DeploymentPlanView {
  const refusals = problems.map(({ elementId, code, message, line = null }) => ({ elementId, code, message, line }));
  return { dryRun: true, processes: [], refusals, warnings: [], elements: [] };
}

/** Builds the view of one workflow version, with a list of all versions, newest first. */
export function toWorkflowView(record: VersionRecord, versions: readonly VersionRecord[]): WorkflowView {
  return {
    workflowId: record.workflowId,
    name: record.name,
    version: record.version,
    versions: [...versions].sort((a, b) => b.version - a.version).map(toVersionView),
    digest: record.digest,
    description: record.description,
    inputSchema: record.inputSchema,
    starts: toRunStartViews(record.elements),
    elements: toElementViews(record.elements),
  };
}

function toVersionView({ version, digest, deployedAt, deployedBy }: VersionRecord): WorkflowVersionView {
  return { version, digest, deployedAt: toTimestamp(deployedAt), deployedBy };
}

function toElementViews(elements: Json): WorkflowElementView[] {
  if (!Array.isArray(elements)) return [];
  return elements.filter(isJsonObject).map(({ elementId, type, name }) => ({
    elementId: String(elementId),
    type: String(type),
    name: typeof name === 'string' ? name : null,
  }));
}

/**
 * Returns the run starts, as recorded at deployment; `null` for versions deployed before run starts were recorded.
 */
function toRunStartViews(elements: Json): RunStartView[] | null {
  if (!Array.isArray(elements)) return null;
  const startViews = elements.filter(isJsonObject).flatMap(({ elementId, starts }) => {
    if (!Array.isArray(starts)) return [];
    return starts.filter(isJsonObject).flatMap(({ kind: recordedKind, value }): RunStartView[] => {
      const kind = RUN_START_KINDS.find((each) => each === recordedKind);
      return kind === undefined
        ? []
        : [{ elementId: String(elementId), kind, value: typeof value === 'string' ? value : null }];
    });
  });
  return startViews.length === 0 ? null : startViews;
}
