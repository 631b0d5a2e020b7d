import { checkWorkflowsAside, describeElements, workflowDigest } from '@countersign/bpmn';
import type {
  ModelWarning,
  PlannedDeployment,
  RequestContext,
  StoragePort,
  WorkflowDeployment,
} from '@countersign/core/ports';
import type { WorkflowGraph } from '@countersign/model';
import type { CommandAction } from '../command-actions.js';
import { missingDecisions } from './missing-decisions.js';
import { startEventsOf } from './start-events.js';

interface Deployed {
  readonly saved: Awaited<ReturnType<StoragePort['saveWorkflowVersions']>>;
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
): Promise<Deployed> {
  const { versions, warnings } = await check(storage, request.bpmnXml, now);
  return {
    saved: await storage.saveWorkflowVersions(versions.map((version) => deploymentOf(version, request.context))),
    warnings,
  };
}

/**
 * Returns what {@link deploy} would do, if there is no concurrent deployment. Changes nothing.
 *
 * @throws {ModelRefusedError} if {@link deploy} would throw it
 */
export async function planDeployment(
  storage: Pick<StoragePort, 'findWorkflowByDigest' | 'findWorkflowVersion' | 'findNewestDecisions'>,
  bpmnXml: string,
  now: number,
): Promise<PlannedDeployment> {
  const { versions, warnings } = await check(storage, bpmnXml, now);
  const processes = versions.map(async ({ workflowId, digest, name, elements }) => {
    const same = await storage.findWorkflowByDigest(workflowId, digest);
    const version = same?.version ?? ((await storage.findWorkflowVersion(workflowId))?.version ?? 0) + 1;
    return { workflowId, name, version, unchanged: same !== undefined, elements };
  });
  return { processes: await Promise.all(processes), warnings };
}

type CheckedVersion = Omit<WorkflowDeployment['version'], 'deployedBy'> & Pick<WorkflowDeployment, 'starts'>;

/** Checks a file for refusal reasons and collects its warnings. */
async function check(
  storage: Pick<StoragePort, 'findNewestDecisions'>,
  bpmnXml: string,
  now: number,
): Promise<{ versions: CheckedVersion[]; warnings: ModelWarning[] }> {
  const { file, findings } = await checkWorkflowsAside(bpmnXml, { now });
  const found = findings.flatMap(({ severity, ...finding }) => (severity === 'info' ? [] : [{ severity, ...finding }]));
  const graphs = file.workflows.map(({ graph }) => graph);
  const warnings = [...found, ...(await missingDecisions(storage, graphs))];
  return { versions: graphs.map((graph) => versionOf(graph, bpmnXml, now)), warnings };
}

function versionOf(graph: WorkflowGraph, bpmnXml: string, now: number): CheckedVersion {
  return {
    workflowId: graph.workflowId,
    digest: workflowDigest(bpmnXml),
    name: graph.name,
    description: graph.description,
    inputSchema: graph.inputSchema,
    elements: describeElements(graph).map(({ starts: startsHere, ...element }) => ({
      ...element,
      ...(startsHere === undefined ? {} : { starts: startsHere.map((start) => ({ ...start })) }),
    })),
    bpmnXml,
    deployedAt: now,
    starts: startEventsOf(graph, now),
  };
}

function deploymentOf(
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
