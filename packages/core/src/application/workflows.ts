import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { compileWorkflowsAside } from '@countersign/bpmn';
import { ApiError, isModelRefusedError, runStartsOf } from '@countersign/model';
import { EnginePort } from '../ports/engine.js';
import type { PageRequest, WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { contextOf, type Caller } from './caller.js';
import type { PageView } from './run-queries.js';
import {
  deploymentPlanView,
  refusedDeploymentView,
  workflowView,
  type DeployedWorkflowView,
  type DeploymentPlanView,
  type RunStartView,
  type WorkflowDetailView,
  type WorkflowView,
} from './views/workflow-view.js';

type VersionRecord = Omit<WorkflowVersionRecord, 'bpmnXml'>;

/** Error codes of content without a usable BPMN model: no diagram can be drawn, and no element named. */
const NO_MODEL: ReadonlySet<string> = new Set([
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
  private readonly versions = new LRUCache<string, readonly VersionRecord[]>({ max: 1_000 });
  private readonly starts = new LRUCache<string, RunStartView[]>({ max: 200 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /**
   * Deploys all workflows of a file. `created`: whether one of them is a new version.
   *
   * @throws {ModelRefusedError} if the BPMN model cannot be executed faithfully; then nothing is stored
   */
  async deploy(bpmnXml: string, caller: Caller): Promise<{ workflow: DeployedWorkflowView; created: boolean }> {
    const { workflow, created, alsoDeployed, warnings } = await this.engine.deploy({
      bpmnXml,
      context: contextOf(caller, 'deployWorkflow', bpmnXml),
    });
    const versions = await this.storage.listWorkflowVersions(workflow.workflowId);
    const others = alsoDeployed.map((each) => ({
      workflowId: each.workflow.workflowId,
      version: each.workflow.version,
    }));
    return {
      workflow: {
        ...workflowView(workflow, versions),
        bpmnXml,
        alsoDeployed: others,
        warnings: warnings.map((warning) => ({ ...warning })),
      },
      created: created || alsoDeployed.some((each) => each.created),
    };
  }

  /**
   * Returns what a deployment would do, or why it would be refused. Changes nothing.
   *
   * @throws {ModelRefusedError} if the content is not a BPMN model at all
   */
  async plan(bpmnXml: string): Promise<DeploymentPlanView> {
    try {
      return deploymentPlanView(await this.engine.planDeployment(bpmnXml));
    } catch (error) {
      if (!isModelRefusedError(error) || error.problems.some(({ code }) => NO_MODEL.has(code))) throw error;
      return refusedDeploymentView(error.problems);
    }
  }

  async list(page: PageRequest): Promise<PageView<WorkflowView>> {
    const { items, nextCursor } = await this.storage.listWorkflows(page);
    const views = items.map(async (newest) => workflowView(newest, await this.versionsUpTo(newest)));
    return { items: await Promise.all(views), nextCursor };
  }

  /** @throws {ApiError} `workflow_not_found`, `workflow_version_not_found` */
  async get(workflowId: string, version?: number): Promise<WorkflowDetailView> {
    const newest = await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    const wanted =
      version === undefined || version === newest.version
        ? newest
        : await this.storage.findWorkflowVersion(workflowId, version);
    if (wanted === undefined) {
      throw new ApiError(
        'workflow_version_not_found',
        `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
      );
    }
    const view = workflowView(wanted, await this.versionsUpTo(newest));
    return { ...view, starts: view.starts ?? (await this.startsOf(wanted)), bpmnXml: wanted.bpmnXml };
  }

  /** Returns the triggers of a version that was deployed before triggers were recorded. */
  private async startsOf({ workflowId, version, bpmnXml }: WorkflowVersionRecord): Promise<RunStartView[]> {
    const key = `${version}@${workflowId}`;
    const known = this.starts.get(key);
    if (known !== undefined) return known;
    const { workflows } = await compileWorkflowsAside(bpmnXml);
    const found = workflows.flatMap(({ graph }) =>
      graph.workflowId === workflowId ? runStartsOf(graph).map((start) => ({ ...start })) : [],
    );
    this.starts.set(key, found);
    return found;
  }

  private async versionsUpTo(newest: VersionRecord): Promise<readonly VersionRecord[]> {
    const key = `${newest.version}@${newest.workflowId}`;
    const known = this.versions.get(key);
    if (known !== undefined) return known;
    const all = await this.storage.listWorkflowVersions(newest.workflowId);
    const listed = all.filter((each) => each.version <= newest.version);
    this.versions.set(key, listed);
    return listed;
  }
}
