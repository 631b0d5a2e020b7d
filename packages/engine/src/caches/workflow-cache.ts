import { LRUCache } from 'lru-cache';
import { compileWorkflowsOffThread } from '@countersign/bpmn';
import { ApiError } from '@countersign/core/plugin';
import type { StoragePort, WorkflowVersionRecord } from '@countersign/core/ports';
import type { WorkflowGraph } from '@countersign/model';
import { SharedLoads } from './shared-loads.js';

export interface CompiledVersion {
  readonly workflowId: string;
  readonly version: number;
  readonly digest: string;
  readonly graph: WorkflowGraph;
  /** Id of the person who deployed the version. */
  readonly deployedBy: string;
}

/** Cache of compiled workflow versions. A version never changes, but the cached newest version may be outdated. */
export class WorkflowCache {
  private readonly compiledVersions = new LRUCache<string, Promise<CompiledVersion>>({ max: 500 });
  private readonly newestVersions = new Map<string, CompiledVersion>();
  private readonly newestLoads = new SharedLoads<CompiledVersion>();
  private readonly versionNumbers = new LRUCache<string, number>({ max: 500 });

  constructor(
    private readonly storage: Pick<StoragePort, 'findWorkflowVersionByDigest' | 'findWorkflowVersion'>,
    private readonly compile: typeof compileWorkflowsOffThread = compileWorkflowsOffThread,
  ) {}

  /** Returns the newest version known to this process; the commit checks it (`requireNewestVersion`). */
  async guessNewest(workflowId: string): Promise<CompiledVersion> {
    const known = this.newestVersions.get(workflowId);
    if (known !== undefined) return known;
    return this.newestLoads.share(
      workflowId,
      () => this.loadNewest(workflowId),
      (found) => this.newestVersions.set(workflowId, found),
    );
  }

  forgetNewest(workflowId: string): void {
    this.newestVersions.delete(workflowId);
    this.newestLoads.forget(workflowId);
  }

  /**
   * Returns the version number of the workflow in the deployment whose file has this digest.
   *
   * @throws {ApiError} `workflow_not_found`
   */
  async findVersionNumber(workflowId: string, digest: string): Promise<number> {
    const key = `${digest}:${workflowId}`;
    const known = this.versionNumbers.get(key);
    if (known !== undefined) return known;
    const record = await this.storage.findWorkflowVersionByDigest(workflowId, digest);
    if (record === undefined) {
      throw new ApiError(
        'workflow_not_found',
        `The file that the calling workflow was deployed with does not contain workflow "${workflowId}".`,
      );
    }
    this.versionNumbers.set(key, record.version);
    return record.version;
  }

  /** @throws {ApiError} `workflow_not_found` */
  async get(workflowId: string, version: number): Promise<CompiledVersion> {
    const known = this.compiledVersions.get(cacheKey(workflowId, version));
    if (known !== undefined) return known;
    return this.remember(
      workflowId,
      version,
      this.find(workflowId, version).then((record) => compileVersion(record, this.compile)),
    );
  }

  private async loadNewest(workflowId: string): Promise<CompiledVersion> {
    const record = await this.find(workflowId, undefined);
    const { version } = record;
    return (
      this.compiledVersions.get(cacheKey(workflowId, version)) ??
      this.remember(workflowId, version, compileVersion(record, this.compile))
    );
  }

  private async find(workflowId: string, version: number | undefined): Promise<WorkflowVersionRecord> {
    const record = await this.storage.findWorkflowVersion(workflowId, version);
    if (record === undefined) throw workflowNotFound(workflowId, version);
    return record;
  }

  /** Caches only successful compilations, because the database may be unavailable or the compiler thread may die. */
  private remember(workflowId: string, version: number, compiling: Promise<CompiledVersion>): Promise<CompiledVersion> {
    const key = cacheKey(workflowId, version);
    this.compiledVersions.set(key, compiling);
    compiling.catch(() => {
      if (this.compiledVersions.peek(key) === compiling) this.compiledVersions.delete(key);
    });
    return compiling;
  }
}

function cacheKey(workflowId: string, version: number): string {
  return `${version}:${workflowId}`;
}

async function compileVersion(
  record: WorkflowVersionRecord,
  compile: typeof compileWorkflowsOffThread,
): Promise<CompiledVersion> {
  const { workflows } = await compile(record.bpmnXml);
  const graph = workflows.find((each) => each.graph.workflowId === record.workflowId)?.graph;
  if (graph === undefined)
    throw new Error(`The stored BPMN file of the workflow "${record.workflowId}" contains no such process.`);
  return {
    workflowId: record.workflowId,
    version: record.version,
    digest: record.digest,
    graph,
    deployedBy: record.deployedBy,
  };
}

function workflowNotFound(workflowId: string, version?: number): ApiError {
  const missing = version === undefined ? `workflow "${workflowId}"` : `version ${version} of workflow "${workflowId}"`;
  return new ApiError('workflow_not_found', `There is no ${missing}. GET /api/workflows lists the deployed workflows.`);
}
