import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { ClusterTopology } from '@countersign/core/ports';
import { ClusterConnection } from './cluster-connection.js';
import type { TemporalConfiguration } from './configuration.js';
import { CLIENT_OPTIONS, getApiKey, readConnectionOptions } from './connection-options.js';
import { readTopology, type TaskQueue } from './read-topology.js';
import { findRunId, getRunWorkflowId, getStartTimersWorkflowId, getWorkflowQueue } from './workflows/names.js';
import type { RunAnnouncement } from './workflows/run-announcement.js';
import type { announced, countersignRun, RunWorkflowInput } from './workflows/run-workflow.js';
import type { countersignStartTimers, startTimersChanged } from './workflows/start-timers-workflow.js';

/** Maximum time of a request to the cluster, including its retries, in ms. */
const REQUEST_TIMEOUT_MS = 5_000;
/** The same for a list with many pages, in ms. */
const LIST_TIMEOUT_MS = 10_000;
/**
 * Time after which Temporal gives a workflow task of a dead server to another one, in ms. After a crash, work resumes
 * no sooner.
 */
const WORKFLOW_TASK_TIMEOUT = '3s';

/** Workflow that did not end by itself. */
export interface BrokenWorkflow {
  /** Run of Countersign whose work the workflow started. */
  readonly runId: string;
  /** Id of this execution of the workflow. */
  readonly executionId: string;
}

interface ClusterClient {
  readonly connection: ClusterConnection;
  readonly workflow: Client['workflow'];
}

type SignalName<T extends { readonly name: string }> = T['name'];

/** The Temporal cluster: connections to it, and the signals to its workflows. */
export class Cluster {
  private connected: Promise<ClusterClient> | undefined;

  constructor(private readonly configuration: TemporalConfiguration) {}

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
    await this.request(async ({ workflow }) => {
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
    await this.request(({ workflow }) =>
      workflow.start<typeof countersignStartTimers>('countersignStartTimers', this.getStartTimersOptions()),
    );
  }

  /** Tells the workflow of the start timers that they may have changed. */
  async announceStartTimers(): Promise<void> {
    const signal: SignalName<typeof startTimersChanged> = 'startTimersChanged';
    await this.request(({ workflow }) =>
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
    return this.request(async ({ workflow }) => {
      const broken: BrokenWorkflow[] = [];
      for await (const { workflowId, runId: executionId } of workflow.list({ query })) {
        const runId = findRunId(this.prefix, workflowId);
        if (runId !== undefined) broken.push({ runId, executionId });
      }
      return broken;
    }, LIST_TIMEOUT_MS);
  }

  /** Reads the state of the cluster. */
  async readTopology(taskQueues: readonly TaskQueue[]): Promise<Omit<ClusterTopology, 'announcements'>> {
    return this.request(({ connection }) => {
      const admin = connection.createAdminService(getApiKey(this.configuration));
      return readTopology(connection, admin, this.namespace, taskQueues);
    });
  }

  /** Opens the connection of workers. */
  async connectWorkers(): Promise<NativeConnection> {
    return NativeConnection.connect(await readConnectionOptions(this.configuration));
  }

  async close(): Promise<void> {
    const client = await this.connected?.catch(() => undefined);
    await client?.connection.close();
  }

  private async request<T>(
    send: (client: ClusterClient) => Promise<T>,
    timeoutMs: number = REQUEST_TIMEOUT_MS,
  ): Promise<T> {
    const client = await this.getClient();
    return client.connection.withDeadline(Date.now() + timeoutMs, () => send(client));
  }

  /** Returns the client. It connects with the first request, and again by itself after a connection was lost. */
  private getClient(): Promise<ClusterClient> {
    this.connected ??= this.createClient().catch((error: unknown) => {
      this.connected = undefined;
      throw error;
    });
    return this.connected;
  }

  private async createClient(): Promise<ClusterClient> {
    const connection = ClusterConnection.lazy({
      ...(await readConnectionOptions(this.configuration)),
      ...CLIENT_OPTIONS,
      connectTimeout: REQUEST_TIMEOUT_MS,
      // `lazy` creates an instance of its class, but is declared to return the base class.
    }) as ClusterConnection;
    return { connection, workflow: new Client({ connection, namespace: this.namespace }).workflow };
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

async function ignoreMissing(request: Promise<void>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
