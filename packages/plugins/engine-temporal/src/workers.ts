import { fileURLToPath } from 'node:url';
import { FailureLog, type LoggerPort } from '@countersign/core/plugin';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Cluster } from './cluster.js';
import { runActivity } from './run-activity.js';
import { installRuntime } from './runtime.js';
import type { JobActivities, TimerActivities } from './workflows/activities.js';
import { getJobQueue, getWorkflowQueue } from './workflows/names.js';

/** Pause before the workers connect again, in ms. */
const RECONNECT_MS = 1_000;
/** Minimum interval of heartbeats. A cancelled activity learns of it from the response to a heartbeat. */
const HEARTBEAT_THROTTLE = '1s';
/** How long running jobs may take when the server stops, in ms. Then they are aborted. */
const GRACE_MS = 10_000;
/** How long aborted jobs may take to end, in ms. */
const ABORT_GRACE_MS = 5_000;

export interface WorkerParts {
  readonly cluster: Cluster;
  readonly log: LoggerPort;
  readonly identity: string;
  readonly jobTypes: readonly string[];
  readonly maxActiveJobs: number;
  readonly jobs: JobActivities;
  readonly timers: TimerActivities;
}

/**
 * The workers of this server: one for workflows, and one for each job type. While the cluster is unreachable, they
 * connect again and again.
 */
export class Workers {
  private workers: readonly Worker[] = [];
  private isStopping = false;
  private requestStop: () => void = () => undefined;
  private readonly stopRequested = new Promise<undefined>((resolve) => {
    this.requestStop = () => resolve(undefined);
  });
  private runPromise: Promise<void> | undefined;
  private failure: unknown;
  private readonly failures: FailureLog;
  private readonly activityFailures: FailureLog;

  constructor(private readonly parts: WorkerParts) {
    const { cluster, log } = parts;
    this.failures = new FailureLog(log, 'the workers of the Temporal cluster do not run; they will be started again', {
      address: cluster.address,
      namespace: cluster.namespace,
    });
    this.activityFailures = new FailureLog(log, 'could not execute a job or a timer; it will be repeated');
  }

  start(): void {
    installRuntime(this.parts.log);
    this.runPromise = this.keepRunning();
  }

  /** Accepts no more work, and waits for running jobs, or aborts them after a while. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.requestStop();
    this.shutDown();
    await this.runPromise;
  }

  /** Returns why the workers do not run; `undefined` if they do. */
  getFailure(): unknown {
    return this.failure;
  }

  private async keepRunning(): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.connectAndRun();
      } catch (error) {
        this.failure = error;
        this.failures.recordFailure(error);
        await this.pause();
      }
    }
  }

  private async connectAndRun(): Promise<void> {
    const connecting = this.parts.cluster.connectWorkers();
    const connection = await Promise.race([connecting, this.stopRequested]);
    if (connection === undefined) {
      connecting.then((late) => late.close()).catch(() => undefined);
      return;
    }
    try {
      await this.runWorkers(connection);
    } finally {
      await connection.close();
    }
  }

  /** Runs the workers until one of them fails or the server stops. */
  private async runWorkers(connection: NativeConnection): Promise<void> {
    const workers = await this.createWorkers(connection);
    this.workers = workers;
    const runs = workers.map((worker) => worker.run());
    // The stop may have been requested before these workers existed.
    if (this.isStopping) this.shutDown();
    this.failure = undefined;
    this.failures.recordSuccess();
    try {
      await Promise.all(runs);
    } finally {
      this.shutDown();
      await Promise.allSettled(runs);
      this.workers = [];
    }
  }

  private async createWorkers(connection: NativeConnection): Promise<Worker[]> {
    const { cluster, identity, jobTypes, maxActiveJobs, jobs, timers } = this.parts;
    const options = {
      connection,
      namespace: cluster.namespace,
      identity,
      shutdownGraceTime: GRACE_MS,
      shutdownForceTime: GRACE_MS + ABORT_GRACE_MS,
    } satisfies Partial<WorkerOptions>;
    const workflowWorker = Worker.create({
      ...options,
      taskQueue: getWorkflowQueue(cluster.prefix),
      workflowBundle: { codePath: fileURLToPath(new URL('workflow-bundle.cjs', import.meta.url)) },
      activities: {
        fireTimers: (run) => runActivity(this.activityFailures, () => timers.fireTimers(run)),
        fireStartTimers: () => runActivity(this.activityFailures, () => timers.fireStartTimers()),
      } satisfies TimerActivities,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      // A workflow that another version has begun may not replay. It ends, and its run is announced again. Otherwise, it
      // would wait until that version returns.
      workflowFailureErrorTypes: { '*': ['NondeterminismError'] },
      // After a crash, the workflows of the dead server continue elsewhere after this time.
      stickyQueueScheduleToStartTimeout: '1s',
    });
    const jobWorkers = jobTypes.map((jobType) =>
      Worker.create({
        ...options,
        taskQueue: getJobQueue(cluster.prefix, jobType),
        activities: {
          runJob: (job) => runActivity(this.activityFailures, () => jobs.runJob(job)),
        } satisfies JobActivities,
        maxConcurrentActivityTaskExecutions: maxActiveJobs,
        maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      }),
    );
    const results = await Promise.allSettled([workflowWorker, ...jobWorkers]);
    const workers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed === undefined) return workers;
    // Workers that have not run keep the connection open.
    await Promise.allSettled(
      workers.map((worker) => {
        const run = worker.run();
        worker.shutdown();
        return run;
      }),
    );
    throw (failed as PromiseRejectedResult).reason;
  }

  private shutDown(): void {
    for (const worker of this.workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }

  private async pause(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, RECONNECT_MS)));
    await Promise.race([pause, this.stopRequested]);
    clearTimeout(timer);
  }
}
