import type { JsonObject } from '@countersign/core';
import { waitUntil } from '@countersign/testing';
import { NotFoundError, type TemporalNode } from './temporal-node.spec.support.js';

/** Namespace that every Temporal server of the tests has. */
const TEST_NAMESPACE = 'countersign-tests';

/**
 * Returns the configuration with which a server uses a cluster of the tests.
 *
 * @param keys further keys of `Engine:Temporal`
 */
export function configureTemporal(address: string, keys: JsonObject): JsonObject {
  return { Engine: { Adapter: 'temporal', Temporal: { Address: address, Namespace: TEST_NAMESPACE, ...keys } } };
}

/** Temporal with the namespace of the tests: one server, or a cluster of nodes. */
export abstract class TestTemporal {
  protected constructor(protected readonly nodes: readonly TemporalNode[]) {}

  /** Host and port at which clients reach Temporal. */
  abstract get address(): string;

  get namespace(): string {
    return TEST_NAMESPACE;
  }

  /** The configuration with which a server uses this cluster. */
  get configuration(): JsonObject {
    return this.configure({});
  }

  /**
   * Returns a configuration with which a server uses this cluster.
   *
   * @param keys further keys of `Engine:Temporal`
   */
  configure(keys: JsonObject): JsonObject {
    return configureTemporal(this.address, keys);
  }

  /** Terminates the workflow of a run, as an operator may. */
  async terminateWorkflow(runId: string): Promise<void> {
    await this.request(`workflows/${getWorkflowId(runId)}/terminate`, { reason: 'a test' });
  }

  /** Starts the workflow of a run, as another version of a server may have done. */
  async startWorkflow(runId: string): Promise<void> {
    await this.request(`workflows/${getWorkflowId(runId)}`, {
      workflowType: { name: 'countersignRun' },
      taskQueue: { name: 'countersign' },
      workflowTaskTimeout: '3s',
      input: [{ runId, prefix: 'countersign', known: null }],
    });
  }

  /**
   * Sends a signal to a workflow.
   *
   * @returns `false` if no such workflow is running
   */
  async signalWorkflow(workflowId: string, signal: string, input: readonly JsonObject[]): Promise<boolean> {
    try {
      await this.request(`workflows/${encodeURIComponent(workflowId)}/signal/${signal}`, { input: [...input] });
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  /** Returns whether the workflow of a run waits only for announcements and timers. */
  async isWorkflowIdle(runId: string): Promise<boolean> {
    const { pendingActivities = [], pendingWorkflowTask } = (await this.request(
      `workflows/${getWorkflowId(runId)}`,
    )) as { readonly pendingActivities?: readonly unknown[]; readonly pendingWorkflowTask?: unknown };
    return pendingActivities.length === 0 && pendingWorkflowTask === undefined;
  }

  /** Returns the number of workflows of runs that have not ended. It may lag behind. */
  async countRunningWorkflows(): Promise<number> {
    const query = encodeURIComponent(`WorkflowType = 'countersignRun' AND ExecutionStatus = 'Running'`);
    const { count } = (await this.request(`workflow-count?query=${query}`)) as { readonly count?: string };
    return Number(count ?? 0);
  }

  /** Returns everything that Temporal has recorded of a run, as text. */
  async readHistory(runId: string): Promise<string> {
    const history = await this.request(`workflows/${getWorkflowId(runId)}/history`);
    return JSON.stringify(history).replaceAll(/"data":"([^"]*)"/g, (_match, data: string) =>
      Buffer.from(data, 'base64').toString('utf8'),
    );
  }

  /** Returns the history of a workflow in the format that the SDK can replay. */
  async exportHistory(workflowId: string): Promise<unknown> {
    const path = `workflows/${encodeURIComponent(workflowId)}/history`;
    const { history } = (await this.request(path, undefined, 'application/json+no-payload-shorthand')) as {
      history: unknown;
    };
    return history;
  }

  protected async createNamespace(): Promise<void> {
    const node = this.getRunningNode();
    await node.request('namespaces', { namespace: TEST_NAMESPACE, workflowExecutionRetentionPeriod: '86400s' });
    await waitUntil('the namespace is usable', () => node.responds(`namespaces/${TEST_NAMESPACE}/workflow-count`));
  }

  /** Sends a request that concerns the namespace. */
  private request(path: string, body?: JsonObject, accept?: string): Promise<unknown> {
    return this.getRunningNode().request(`namespaces/${TEST_NAMESPACE}/${path}`, body, accept);
  }

  private getRunningNode(): TemporalNode {
    const node = this.nodes.find(({ isRunning }) => isRunning);
    if (node === undefined) throw new Error('No Temporal server is running.');
    return node;
  }
}

function getWorkflowId(runId: string): string {
  return encodeURIComponent(`countersign:run:${runId}`);
}
