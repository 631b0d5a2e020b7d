import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { BareActivities } from './bare-workflow.js';
import { type EngineDriver, RunEvents } from './engine-driver.js';
import type { InstalledTemporal } from './temporal-sdk.js';
import { NAMESPACE, type TemporalServer } from './temporal-server.js';

const TASK_QUEUE = 'bare';

interface WorkflowInfo {
  readonly workflowId: string;
}

/** Starts a worker of Temporal's SDK and a client in this process, which execute the workload without Countersign. */
export async function openBareTemporal(
  { sdk, modules }: InstalledTemporal,
  server: TemporalServer,
): Promise<EngineDriver> {
  const requests = new RunEvents<true>();
  const nextJobs = new RunEvents<number>();
  const ends = new RunEvents<true>();
  const { Client, Connection } = sdk.client;
  const { Worker, NativeConnection, DefaultLogger, bundleWorkflowCode } = sdk.worker;
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('bare-workflow.js', import.meta.url)),
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config: { readonly resolve: { readonly modules: readonly string[] } }) => ({
      ...config,
      resolve: { ...config.resolve, modules: [...config.resolve.modules, modules] },
    }),
  });
  const connection = await NativeConnection.connect({ address: server.address });
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACE,
    taskQueue: TASK_QUEUE,
    workflowBundle,
    activities: {
      prepare: (amount) => Promise.resolve(`prepared ${amount}`),
      perform: (amount) => {
        nextJobs.record(sdk.activity.activityInfo().workflowExecution.workflowId, performance.now());
        return Promise.resolve(`performed ${amount}`);
      },
    } satisfies BareActivities,
    sinks: {
      driver: {
        approvalRequested: { fn: ({ workflowId }: WorkflowInfo) => requests.record(workflowId, true) },
        ended: { fn: ({ workflowId }: WorkflowInfo) => ends.record(workflowId, true) },
      },
    },
  });
  const stopped = worker.run();
  const clientConnection = await Connection.connect({ address: server.address });
  const { workflow } = new Client({ connection: clientConnection, namespace: NAMESPACE });

  return {
    completeRun: async (index) => {
      const workflowId = randomUUID();
      await workflow.start('bareApproval', { workflowId, taskQueue: TASK_QUEUE, args: [index] });
      await requests.take(workflowId);
      const sentAt = performance.now();
      await workflow.getHandle(workflowId).signal('decided', 'approve');
      const voteAnsweredMs = performance.now() - sentAt;
      const nextJobMs = (await nextJobs.take(workflowId)) - sentAt;
      await ends.take(workflowId);
      return { voteAnsweredMs, nextJobMs };
    },
    close: async () => {
      worker.shutdown();
      await stopped;
      await clientConnection.close();
      await connection.close();
    },
  };
}
