import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { compileWorkflowsOffThread } from '@countersign/bpmn';
import type { WorkflowGraph } from '@countersign/model';
import { StoragePort } from '../ports/storage.js';

const MAX_GRAPHS = 100;

/** Compiled workflow versions for queries. The engine has its own. */
@injectable()
export class WorkflowGraphs {
  readonly #graphs = new LRUCache<string, Promise<WorkflowGraph | undefined>>({ max: MAX_GRAPHS });

  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /**
   * Returns the graph of a workflow version as deployed, which never changes; `undefined` if the version is missing.
   *
   * @param digest digest of the BPMN file
   * @throws {ModelRefusedError} if this server cannot compile the file
   */
  find(workflowId: string, digest: string): Promise<WorkflowGraph | undefined> {
    const key = `${digest} ${workflowId}`;
    const cached = this.#graphs.get(key);
    if (cached !== undefined) return cached;
    const graphPromise = this.#compile(workflowId, digest);
    this.#graphs.set(key, graphPromise);
    graphPromise.then(
      (graph) => graph === undefined && this.#graphs.delete(key),
      () => this.#graphs.delete(key),
    );
    return graphPromise;
  }

  async #compile(workflowId: string, digest: string): Promise<WorkflowGraph | undefined> {
    const record = await this.storage.findWorkflowVersionByDigest(workflowId, digest);
    if (record === undefined) return undefined;
    const { workflows } = await compileWorkflowsOffThread(record.bpmnXml);
    return workflows.find(({ graph }) => graph.workflowId === workflowId)?.graph;
  }
}
