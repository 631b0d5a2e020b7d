import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { compileWorkflowsOffThread } from '@countersign/bpmn';
import { ApiError, isModelRefusedError, listRunStarts } from '@countersign/model';
import { EnginePort } from '../ports/engine.js';
import type { PageRequest, WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import type { PageView } from './run-queries.js';
import {
  toDeploymentPlanView,
  toRefusedDeploymentView,
  toWorkflowView,
  type DeployedWorkflowView,
  type DeploymentPlanView,
  type RunStartView,
  type WorkflowDetailView,
  type WorkflowView,
} from './views/workflow-view.js';

type VersionRecord = Omit<WorkflowVersionRecord, 'bpmnXml'>;

/**
 * Codes of problems that make the content unreadable as a BPMN model: there is no diagram to draw and no element to
 * point at.
 */
const UNREADABLE_MODEL_CODES: ReadonlySet<string> = new Set([
  'malformed_xml',
  'doctype_refused',
  'unsupported_encoding',
  'model_too_large',
  'not_bpmn',
]);

/** Deploys and lists workflows. */
@injectable()
export class Workflows {
  /** Cached version lists, by newest version. Versions are never changed or removed. */
  private readonly versionsCache = new LRUCache<string, readonly VersionRecord[]>({ max: 1_000 });
  private readonly startsCache = new LRUCache<string, RunStartView[]>({ max: 200 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /**
   * Deploys all workflows of a file. `created` is true if at least one of them is a new version.
   *
   * @throws {ModelRefusedError} if the BPMN model cannot be executed faithfully; in this case, nothing is stored
   */
  async deploy(bpmnXml: string, caller: Caller): Promise<{ workflow: DeployedWorkflowView; created: boolean }> {
    const { workflow, created, alsoDeployed, warnings } = await this.engine.deploy({
      bpmnXml,
      context: buildRequestContext(caller, 'deployWorkflow', bpmnXml),
    });
    const versions = await this.storage.listWorkflowVersions(workflow.workflowId);
    const otherVersions = alsoDeployed.map((each) => ({
      workflowId: each.workflow.workflowId,
      version: each.workflow.version,
    }));
    return {
      workflow: {
        ...toWorkflowView(workflow, versions),
        bpmnXml,
        alsoDeployed: otherVersions,
        warnings: warnings.map((warning) => ({ ...warning })),
      },
      created: created || alsoDeployed.some((each) => each.created),
    };
  }

  /**
   * Returns the plan of a deployment, or the reasons for its refusal. Changes nothing.
   *
   * @throws {ModelRefusedError} if the content is not a BPMN model
   */
  async plan(bpmnXml: string): Promise<DeploymentPlanView> {
    try {
      return toDeploymentPlanView(await this.engine.planDeployment(bpmnXml));
    } catch (error) {
      if (!isModelRefusedError(error) || error.problems.some(({ code }) => UNREADABLE_MODEL_CODES.has(code)))
        throw error;
      return toRefusedDeploymentView(error.problems);
    }
  }

  async list(page: PageRequest): Promise<PageView<WorkflowView>> {
    const { items, nextCursor } = await this.storage.listWorkflows(page);
    const views = items.map(async (newest) => toWorkflowView(newest, await this.listVersionsUpTo(newest)));
    return { items: await Promise.all(views), nextCursor };
  }

  /** @throws {ApiError} `workflow_not_found`, `workflow_version_not_found` */
  async get(workflowId: string, version?: number): Promise<WorkflowDetailView> {
    const newest = await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    const requested =
      version === undefined || version === newest.version
        ? newest
        : await this.storage.findWorkflowVersion(workflowId, version);
    if (requested === undefined) {
      throw new ApiError(
        'workflow_version_not_found',
        `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
      );
    }
    const view = toWorkflowView(requested, await this.listVersionsUpTo(newest));
    return { ...view, starts: view.starts ?? (await this.findRunStarts(requested)), bpmnXml: requested.bpmnXml };
  }

  /** Returns the run starts of a version that was deployed before run starts were recorded. */
  private async findRunStarts({ workflowId, version, bpmnXml }: WorkflowVersionRecord): Promise<RunStartView[]> {
    const key = `${version}@${workflowId}`;
    const cached = this.startsCache.get(key);
    if (cached !== undefined) return cached;
    const { workflows } = await compileWorkflowsOffThread(bpmnXml);
    const runStarts = workflows.flatMap(({ graph }) =>
      graph.workflowId === workflowId ? listRunStarts(graph).map((start) => ({ ...start })) : [],
    );
    this.startsCache.set(key, runStarts);
    return runStarts;
  }

  private async listVersionsUpTo(newest: VersionRecord): Promise<readonly VersionRecord[]> {
    const key = `${newest.version}@${newest.workflowId}`;
    const cached = this.versionsCache.get(key);
    if (cached !== undefined) return cached;
    const all = await this.storage.listWorkflowVersions(newest.workflowId);
    const visible = all.filter((each) => each.version <= newest.version);
    this.versionsCache.set(key, visible);
    return visible;
  }
}
