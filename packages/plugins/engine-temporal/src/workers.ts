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
/** How long running jobs may take at most when the server stops, in ms. The engine may abort them earlier. */
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

/** Task queue that a worker of this server polls. */
interface PolledQueue {
  /** Number of jobs of the worker in progress. */
  activeJobs: number;
  createWorker(connection: NativeConnection): Promise<Worker>;
}

/** One connection, until one of its workers fails. */
interface Session {
  readonly connection: NativeConnection;
  hasFailed: boolean;
  /** Workers that were still being created when the server stopped. Never rejects. */
  readonly abandonedRuns: Promise<void>[];
}

/**
 * The workers of this server: one for workflows, and one for each job type. While the cluster is unreachable, they
 * connect again and again.
 */
export class Workers {
  /** Queues of jobs, by job type. */
  private readonly jobQueues: ReadonlyMap<string, PolledQueue>;
  private readonly queues: readonly PolledQueue[];
  private readonly workers = new Map<PolledQueue, Worker>();
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
    this.jobQueues = new Map(parts.jobTypes.map((jobType) => [jobType, this.createJobQueue(jobType)]));
    this.queues = [this.createWorkflowQueue(), ...this.jobQueues.values()];
  }

  start(): void {
    installRuntime(this.parts.log);
    this.runPromise = this.keepRunning();
  }

  /** Accepts no more work, and waits for running jobs. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.requestStop();
    this.shutDown();
    await this.runPromise;
  }

  /** Restarts workers without jobs, because the SDK pauses between polls for up to 10 s after an outage. */
  restartIdle(): void {
    for (const [{ activeJobs }, worker] of this.workers) if (activeJobs === 0) shutDown(worker);
  }

  countActive(jobType: string): number {
    return this.jobQueues.get(jobType)?.activeJobs ?? 0;
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
        await this.recordFailure(error);
      }
    }
  }

  private async connectAndRun(): Promise<void> {
    const connecting = this.parts.cluster.connectWorkers();
    const connection = await Promise.race([connecting, this.stopRequested]);
    if (connection === undefined) {
      connecting.then((late) => late.close()).catch(ignore);
      return;
    }
    const session: Session = { connection, hasFailed: false, abandonedRuns: [] };
    try {
      await this.runWorkers(session);
    } finally {
      if (session.abandonedRuns.length === 0) await connection.close();
      else
        void Promise.all(session.abandonedRuns)
          .then(() => connection.close())
          .catch(ignore);
    }
  }

  /** Runs the workers until one of them fails or the server stops. */
  private async runWorkers(session: Session): Promise<void> {
    const runs = this.queues.map((queue) =>
      this.runWorker(queue, session).catch((error: unknown) => {
        session.hasFailed = true;
        this.shutDown();
        throw error;
      }),
    );
    await Promise.allSettled(runs);
    await Promise.all(runs);
  }

  /** Runs the worker of a queue, and another one each time it was restarted. */
  private async runWorker(queue: PolledQueue, session: Session): Promise<void> {
    let worker = await this.createWorker(queue, session);
    while (worker !== undefined) {
      const run = worker.run();
      this.workers.set(queue, worker);
      // Both may have happened before this worker existed.
      if (this.isStopping || session.hasFailed) shutDown(worker);
      if (this.workers.size === this.queues.length) this.recordSuccess();
      try {
        await run;
      } finally {
        this.workers.delete(queue);
      }
      worker = await this.recreateWorker(queue, session);
    }
  }

  /** Creates a worker; returns `undefined` if the server stops. */
  private async createWorker(queue: PolledQueue, session: Session): Promise<Worker | undefined> {
    // The SDK leaks threads if it cannot create a worker.
    const creating = this.parts.cluster.readNamespaceId().then(() => queue.createWorker(session.connection));
    // The creation lasts as long as the cluster is unreachable.
    const worker = await Promise.race([creating, this.stopRequested]);
    if (worker === undefined) session.abandonedRuns.push(creating.then(runBriefly).catch(ignore));
    return worker;
  }

  /**
   * Creates a worker again until it succeeds, so that the jobs of the other workers continue; returns `undefined` if the
   * session ends.
   */
  private async recreateWorker(queue: PolledQueue, session: Session): Promise<Worker | undefined> {
    while (!this.isStopping && !session.hasFailed) {
      try {
        return await this.createWorker(queue, session);
      } catch (error) {
        await this.recordFailure(error);
      }
    }
    return undefined;
  }

  /** Records why workers do not run, and pauses before they are started again. */
  private async recordFailure(error: unknown): Promise<void> {
    this.failure = error;
    this.failures.recordFailure(error);
    await this.pause();
  }

  private recordSuccess(): void {
    this.failure = undefined;
    this.failures.recordSuccess();
  }

  private createWorkflowQueue(): PolledQueue {
    const { cluster, timers } = this.parts;
    return {
      activeJobs: 0,
      createWorker: (connection) =>
        Worker.create({
          ...this.createOptions(connection),
          taskQueue: getWorkflowQueue(cluster.prefix),
          workflowBundle: { codePath: fileURLToPath(new URL('workflow-bundle.cjs', import.meta.url)) },
          activities: {
            fireTimers: (run) => runActivity(this.activityFailures, () => timers.fireTimers(run)),
            fireStartTimers: () => runActivity(this.activityFailures, () => timers.fireStartTimers()),
          } satisfies TimerActivities,
          // A workflow that another version has begun may not replay. It ends, and its run is announced again.
          // Otherwise, it would wait until that version returns.
          workflowFailureErrorTypes: { '*': ['NondeterminismError'] },
          // After a crash, the workflows of the dead server continue elsewhere after this time.
          stickyQueueScheduleToStartTimeout: '1s',
        }),
    };
  }

  private createJobQueue(jobType: string): PolledQueue {
    const { cluster, maxActiveJobs, jobs } = this.parts;
    const runJob: JobActivities['runJob'] = async (job) => {
      queue.activeJobs += 1;
      try {
        return await runActivity(this.activityFailures, () => jobs.runJob(job));
      } finally {
        queue.activeJobs -= 1;
      }
    };
    const queue: PolledQueue = {
      activeJobs: 0,
      createWorker: (connection) =>
        Worker.create({
          ...this.createOptions(connection),
          taskQueue: getJobQueue(cluster.prefix, jobType),
          activities: { runJob },
          maxConcurrentActivityTaskExecutions: maxActiveJobs,
        }),
    };
    return queue;
  }

  private createOptions(connection: NativeConnection) {
    const { cluster, identity } = this.parts;
    return {
      connection,
      namespace: cluster.namespace,
      identity,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      shutdownGraceTime: GRACE_MS,
      shutdownForceTime: GRACE_MS + ABORT_GRACE_MS,
    } satisfies Partial<WorkerOptions>;
  }

  private shutDown(): void {
    for (const worker of this.workers.values()) shutDown(worker);
  }

  private async pause(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => (timer = setTimeout(resolve, RECONNECT_MS)));
    await Promise.race([pause, this.stopRequested]);
    clearTimeout(timer);
  }
}

/** Releases the connection, which a worker that has not run keeps open. */
async function runBriefly(worker: Worker): Promise<void> {
  const run = worker.run();
  shutDown(worker);
  await run;
}

function ignore(): void {
  // The server has stopped.
}

function shutDown(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}
