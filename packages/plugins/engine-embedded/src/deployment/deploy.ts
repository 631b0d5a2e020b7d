import { compileWorkflows, describeElements, lintWorkflows, workflowDigest, type WorkflowGraph } from '@countersign/core/engine';
import type { ModelWarning, RequestContext, StoragePort, WorkflowDeployment } from '@countersign/core/plugin';
import type { CommandAction } from '../command-actions.js';
import { missingDecisions } from './missing-decisions.js';
import { startEventsOf } from './start-events.js';

interface Deployed {
  readonly saved: Awaited<ReturnType<StoragePort['saveWorkflowVersions']>>;
  readonly warnings: readonly ModelWarning[];
}

/**
 * Deploys all workflows of a file, together or not at all. The first result is that of the first process.
 *
 * @throws {ModelRefusedError} where one of them can't be executed faithfully
 */
export async function deploy(storage: Pick<StoragePort, 'saveWorkflowVersions' | 'findNewestDecisions'>, request: { bpmnXml: string; context: RequestContext }, now: number): Promise<Deployed> {
  const file = await compileWorkflows(request.bpmnXml);
  const found = lintWorkflows(file, { now }).flatMap(({ severity, ...finding }) => (severity === 'info' ? [] : [{ severity, ...finding }]));
  const graphs = file.workflows.map(({ graph }) => graph);
  const warnings = [...found, ...(await missingDecisions(storage, graphs))];
  return { saved: await storage.saveWorkflowVersions(graphs.map((graph) => deploymentOf(graph, request, now))), warnings };
}

function deploymentOf(graph: WorkflowGraph, { bpmnXml, context }: { bpmnXml: string; context: RequestContext }, now: number): WorkflowDeployment {
  const digest = workflowDigest(bpmnXml);
  return {
    version: {
      workflowId: graph.workflowId,
      digest,
      name: graph.name,
      description: graph.description,
      inputSchema: graph.inputSchema,
      elements: describeElements(graph).map((element) => ({ ...element })),
      bpmnXml,
      deployedAt: now,
      deployedBy: context.actor.id,
    },
    starts: startEventsOf(graph, now),
    audit: {
      at: now,
      actor: context.actor,
      action: 'workflow.deploy' satisfies CommandAction,
      target: { type: 'workflow', id: graph.workflowId, digest },
      result: 'ok',
      from: context.from,
      data: { traceId: context.traceId },
    },
  };
}
