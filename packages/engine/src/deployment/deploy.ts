import { checkWorkflowsOffThread, describeElements, computeWorkflowDigest } from '@countersign/bpmn';
import type {
  ModelWarning,
  PlannedDeployment,
  RequestContext,
  StoragePort,
  WorkflowDeployment,
} from '@countersign/core/ports';
import type { WorkflowGraph } from '@countersign/model';
import type { CommandAction } from '../commands/command-actions.js';
import { findMissingDecisions } from './missing-decisions.js';
import { readStartEvents } from './start-events.js';

interface DeploymentResult {
  readonly savedVersions: Awaited<ReturnType<StoragePort['saveWorkflowVersions']>>;
  readonly warnings: readonly ModelWarning[];
}

/**
 * Deploys all workflows of a file, or none. The first result belongs to the first process.
 *
 * @throws {ModelRefusedError} if one of them cannot be executed faithfully
 */
export async function deploy(
  storage: Pick<StoragePort, 'saveWorkflowVersions' | 'findNewestDecisions'>,
  request: { bpmnXml: string; context: RequestContext },
  now: number,
): Promise<DeploymentResult> {
  const { versions, warnings } = await checkWorkflows(storage, request.bpmnXml, now);
  return {
    savedVersions: await storage.saveWorkflowVersions(
      versions.map((version) => toDeployment(version, request.context)),
    ),
    warnings,
  };
}

/**
 * Returns the result that {@link deploy} would have if there is no concurrent deployment. Changes nothing.
 *
 * @throws {ModelRefusedError} if {@link deploy} would throw it
 */
export async function planDeployment(
  storage: Pick<StoragePort, 'findWorkflowVersionByDigest' | 'findWorkflowVersion' | 'findNewestDecisions'>,
  bpmnXml: string,
  now: number,
): Promise<PlannedDeployment> {
  const { versions, warnings } = await checkWorkflows(storage, bpmnXml, now);
  const processes = versions.map(async ({ workflowId, digest, name, elements }) => {
    const existing = await storage.findWorkflowVersionByDigest(workflowId, digest);
    const version = existing?.version ?? ((await storage.findWorkflowVersion(workflowId))?.version ?? 0) + 1;
    return { workflowId, name, version, unchanged: existing !== undefined, elements };
  });
  return { processes: await Promise.all(processes), warnings };
}

type CheckedVersion = Omit<WorkflowDeployment['version'], 'deployedBy'> & Pick<WorkflowDeployment, 'starts'>;

/** Checks the workflows of a file, and returns their versions and warnings. */
async function checkWorkflows(
  storage: Pick<StoragePort, 'findNewestDecisions'>,
  bpmnXml: string,
  now: number,
): Promise<{ versions: CheckedVersion[]; warnings: ModelWarning[] }> {
  const { file, findings } = await checkWorkflowsOffThread(bpmnXml, { now });
  const modelWarnings = findings.flatMap(({ severity, ...finding }) =>
    severity === 'info' ? [] : [{ severity, ...finding }],
  );
  const graphs = file.workflows.map(({ graph }) => graph);
  const warnings = [...modelWarnings, ...(await findMissingDecisions(storage, graphs))];
  return { versions: graphs.map((graph) => toCheckedVersion(graph, bpmnXml, now)), warnings };
}

function toCheckedVersion(graph: WorkflowGraph, bpmnXml: string, now: number): CheckedVersion {
  return {
    workflowId: graph.workflowId,
    digest: computeWorkflowDigest(bpmnXml),
    name: graph.name,
    description: graph.description,
    inputSchema: graph.inputSchema,
    elements: describeElements(graph).map(({ starts: elementStarts, ...element }) => ({
      ...element,
      ...(elementStarts === undefined ? {} : { starts: elementStarts.map((start) => ({ ...start })) }),
    })),
    bpmnXml,
    deployedAt: now,
    starts: readStartEvents(graph, now),
  };
}

function toDeployment(
  { starts, ...version }: CheckedVersion,
  { actor, from, traceId }: RequestContext,
): WorkflowDeployment {
  return {
    version: { ...version, deployedBy: actor.id },
    starts,
    audit: {
      at: version.deployedAt,
      actor,
      action: 'workflow.deploy' satisfies CommandAction,
      target: { type: 'workflow', id: version.workflowId, digest: version.digest },
      result: 'ok',
      from,
      data: { traceId },
    },
  };
}
