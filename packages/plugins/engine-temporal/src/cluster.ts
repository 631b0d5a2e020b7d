import { type WorkflowExecutionStatusName, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ClusterTopology } from '@countersign/core/ports';
import { isUuid } from '@countersign/model';
import { ClusterClient } from './cluster-client.js';
import type { TemporalConfiguration } from './configuration.js';
import { getApiKey, readConnectionOptions } from './connection-options.js';
import { readTopology, type TaskQueue } from './read-topology.js';
import { findRunId, getRunWorkflowId, getStartTimersWorkflowId, getWorkflowQueue } from './workflows/names.js';
import type { RunAnnouncement } from './workflows/run-announcement.js';
import type { announced, countersignRun, RunWorkflowInput } from './workflows/run-workflow.js';
import type { countersignStartTimers, startTimersChanged } from './workflows/start-timers-workflow.js';

/** Maximum time of a list with many pages, in ms. */
const LIST_TIMEOUT_MS = 10_000;
/**
 * Time after which Temporal gives a workflow task of a dead server to another one. It must end so early that work
 * resumes within three seconds after a crash.
 */
const WORKFLOW_TASK_TIMEOUT = '2500ms';
/** Maximum number of workflows that are looked up at a time. */
const MAX_CONCURRENT_READS = 10;
/** States of a workflow that an announcement starts again. */
const CLOSED_STATUSES: ReadonlySet<string> = new Set<WorkflowExecutionStatusName>([
  'COMPLETED',
  'CONTINUED_AS_NEW',
  'TERMINATED',
  'FAILED',
  'TIMED_OUT',
  'CANCELLED',
]);

/** Workflow that did not end by itself. */
export interface BrokenWorkflow {
  /** Run of Countersign whose work the workflow started. */
  readonly runId: string;
  /** Id of this execution of the workflow. */
  readonly executionId: string;
}

type SignalName<T extends { readonly name: string }> = T['name'];

/** The Temporal cluster: its workflows, and their signals. */
export class Cluster {
  private readonly client: ClusterClient;

  /** @param onRecovered called when the cluster responds again after an outage */
  constructor(
    private readonly configuration: TemporalConfiguration,
    onRecovered: () => void,
  ) {
    this.client = new ClusterClient(configuration, onRecovered);
  }

  get address(): string {
    return this.configuration.Address;
  }

  get namespace(): string {
    return this.configuration.Namespace;
  }

  get prefix(): string {
    return this.configuration.TaskQueuePrefix;
  }

  /**
   * Announces a run to its workflow, which starts if it does not exist and something is open. Resolves when the cluster
   * has stored the announcement.
   */
  async announce(runId: string, announcement: RunAnnouncement): Promise<void> {
    const signal: SignalName<typeof announced> = 'announced';
    const workflowId = getRunWorkflowId(this.prefix, runId);
    await this.client.request(async ({ workflow }) => {
      // A workflow that starts nothing would not end if this announcement arrived after that of the run's end.
      if (announcement.jobs.length === 0 && announcement.nextTimerAt === null)
        return ignoreMissing(workflow.getHandle(workflowId).signal(signal, announcement));
      const input: RunWorkflowInput = { runId, prefix: this.prefix, known: null };
      await workflow.signalWithStart<typeof countersignRun, [RunAnnouncement]>('countersignRun', {
        ...this.getStartOptions(workflowId),
        args: [input],
        signal,
        signalArgs: [announcement],
      });
    });
  }

  /** Starts the workflow of the start timers, unless it is running. */
  async ensureStartTimers(): Promise<void> {
    await this.client.request(({ workflow }) =>
      workflow.start<typeof countersignStartTimers>('countersignStartTimers', this.getStartTimersOptions()),
    );
  }

  /** Tells the workflow of the start timers that they may have changed. */
  async announceStartTimers(): Promise<void> {
    const signal: SignalName<typeof startTimersChanged> = 'startTimersChanged';
    await this.client.request(({ workflow }) =>
      workflow.signalWithStart<typeof countersignStartTimers>('countersignStartTimers', {
        ...this.getStartTimersOptions(),
        signal,
      }),
    );
  }

  /**
   * Returns the workflows that did not end by themselves, for example because an operator terminated them. The result
   * may lag behind by seconds.
   *
   * @param since only workflows that closed after this time, in ms since the epoch
   */
  async listBrokenWorkflows(since: number): Promise<BrokenWorkflow[]> {
    const states = ['Terminated', 'Failed', 'TimedOut', 'Canceled'].map((state) => `'${state}'`).join(', ');
    const query = `TaskQueue = '${getWorkflowQueue(this.prefix)}' AND ExecutionStatus IN (${states}) AND CloseTime > '${new Date(since).toISOString()}'`;
    return this.client.request(async ({ workflow }) => {
      const broken: BrokenWorkflow[] = [];
      for await (const { workflowId, runId: executionId } of workflow.list({ query })) {
        const runId = findRunId(this.prefix, workflowId);
        // Anyone with access to the namespace can choose other ids.
        if (runId !== undefined && isUuid(runId)) broken.push({ runId, executionId });
      }
      return broken;
    }, LIST_TIMEOUT_MS);
  }

  /**
   * Returns those of the runs whose workflow does not exist or is closed.
   *
   * @param runIds at most 100
   */
  async findLostWorkflows(runIds: readonly string[]): Promise<string[]> {
    const workflowIds = runIds.map((runId) => `'${getRunWorkflowId(this.prefix, runId)}'`).join(', ');
    const query = `WorkflowId IN (${workflowIds}) AND ExecutionStatus = 'Running'`;
    return this.client.request(async ({ workflow }) => {
      const running = new Set<string | undefined>();
      for await (const { workflowId } of workflow.list({ query })) running.add(findRunId(this.prefix, workflowId));
      // The list may lag behind, or be incomplete.
      const missing = runIds.filter((runId) => !running.has(runId));
      const lost: string[] = [];
      for (let start = 0; start < missing.length; start += MAX_CONCURRENT_READS)
        await Promise.all(
          missing.slice(start, start + MAX_CONCURRENT_READS).map(async (runId) => {
            const handle = workflow.getHandle(getRunWorkflowId(this.prefix, runId));
            const description = await ignoreMissing(handle.describe());
            if (description === undefined || CLOSED_STATUSES.has(description.status.name)) lost.push(runId);
          }),
        );
      return lost;
    }, LIST_TIMEOUT_MS);
  }

  /** Returns the id of the namespace. Another cluster, or one that has lost its data, has another id. */
  async readNamespaceId(): Promise<string> {
    const { namespace } = this;
    return this.client.request(async ({ connection }) => {
      const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
      return namespaceInfo?.id ?? '';
    });
  }

  /** Reads the state of the cluster. */
  async readTopology(taskQueues: readonly TaskQueue[]): Promise<Omit<ClusterTopology, 'announcements'>> {
    return this.client.request(({ connection }) => {
      const admin = connection.createAdminService(getApiKey(this.configuration));
      return readTopology(connection, admin, this.namespace, taskQueues);
    });
  }

  /** Opens the connection of workers. */
  async connectWorkers(): Promise<NativeConnection> {
    return NativeConnection.connect(await readConnectionOptions(this.configuration));
  }

  /** Makes all requests fail from now on, including those in progress. */
  abortRequests(): void {
    this.client.abortRequests();
  }

  /** Aborts all requests, and closes the connection of the client. */
  close(): Promise<void> {
    return this.client.close();
  }

  private getStartTimersOptions() {
    return this.getStartOptions(getStartTimersWorkflowId(this.prefix));
  }

  private getStartOptions(workflowId: string) {
    return {
      workflowId,
      taskQueue: getWorkflowQueue(this.prefix),
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      // The workflow of a recovered run starts again, as does one that an operator terminated.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    } as const;
  }
}

async function ignoreMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
