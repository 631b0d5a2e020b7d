import { inject, injectable } from 'inversify';
import { PLUGIN_API_VERSION } from '@countersign/core/plugin';
import type { EngineStatus } from '@countersign/core/ports';
import { BackgroundLoop, CommandEngine, type CommitListener, EngineDependencies } from '@countersign/engine';
import { Announcer } from './announcer.js';
import { BrokenWorkflows } from './broken-workflows.js';
import { ClusterStatusCache } from './cluster-status-cache.js';
import { Cluster } from './cluster.js';
import { TemporalConfiguration } from './configuration.js';
import { JobRunner } from './job-runner.js';
import { LostWorkflows } from './lost-workflows.js';
import type { TaskQueue } from './read-topology.js';
import { RunLoader } from './run-loader.js';
import { TimerRunner } from './timer-runner.js';
import { Workers } from './workers.js';
import { getJobQueue, getWorkflowQueue } from './workflows/names.js';

/** Interval of repeating a failed announcement of the start timers, in ms. */
const RETRY_MS = 1_000;
/** Time in which requests to the cluster must end when the server stops, in ms. */
const STOP_REQUESTS_MS = 1_000;
/** Interval of checking that the workflow of the start timers is running, in ms. */
const START_TIMERS_CHECK_MS = 30_000;

/**
 * Engine whose jobs and timers are started by a Temporal cluster. The storage decides: each command is committed there
 * first, and then announced to the workflow of its run (ADR 145).
 */
@injectable()
export class TemporalEngine extends CommandEngine {
  readonly name = 'temporal';
  private readonly jobTypes: readonly string[];
  private readonly cluster: Cluster;
  private readonly announcer: Announcer;
  private readonly jobRunner: JobRunner;
  private readonly timerRunner: TimerRunner;
  private readonly workers: Workers;
  private readonly brokenWorkflows: BrokenWorkflows;
  private readonly lostWorkflows: LostWorkflows;
  private readonly startTimersLoop: BackgroundLoop;
  private readonly clusterStatus: ClusterStatusCache;
  private areStartTimersAnnounced = false;

  constructor(
    @inject(EngineDependencies) dependencies: EngineDependencies,
    @inject(TemporalConfiguration) private readonly configuration: TemporalConfiguration,
  ) {
    super(dependencies);
    const { storage, clock, log, options } = dependencies;
    this.cluster = new Cluster(configuration, () => this.workers.restartIdle());
    this.announcer = new Announcer(this.name, this.cluster, storage, clock, log);
    const runs = new RunLoader({ storage, cache: this.runs, prefix: this.cluster.prefix });
    this.jobRunner = new JobRunner({
      jobs: this.jobs,
      storage,
      runs,
      clock,
      log,
      owner: this.instanceId,
      getWorkflow: (workflowId, version) => this.workflows.get(workflowId, version),
    });
    this.timerRunner = new TimerRunner({
      storage,
      runs,
      clock,
      log,
      fireTimer: (timer) => this.fireTimer(timer),
      fireStartTimer: (timer) => this.fireStartTimer(timer),
    });
    this.jobTypes = [...this.jobs.executors.keys()];
    this.workers = new Workers({
      cluster: this.cluster,
      log,
      identity: `countersign/${this.instanceId}`,
      jobTypes: this.jobTypes,
      maxActiveJobs: options.maxActiveJobs,
      jobs: this.jobRunner,
      timers: this.timerRunner,
    });
    const { prefix } = this.cluster;
    const taskQueues: TaskQueue[] = [
      { name: getWorkflowQueue(prefix), kind: 'workflows' },
      ...this.jobTypes.map((jobType) => ({ name: getJobQueue(prefix, jobType), kind: 'jobs' as const })),
    ];
    this.clusterStatus = new ClusterStatusCache(this.name, this.cluster, storage, taskQueues, () =>
      this.workers.getFailure(),
    );
    const repairParts = { engine: this.name, cluster: this.cluster, storage, log };
    this.brokenWorkflows = new BrokenWorkflows({ ...repairParts, now: () => clock.now() });
    this.lostWorkflows = new LostWorkflows(repairParts);
    this.startTimersLoop = new BackgroundLoop(
      'start timer announcements',
      log,
      START_TIMERS_CHECK_MS,
      () => this.announceStartTimers(),
      RETRY_MS,
    );
  }

  override async start(): Promise<void> {
    this.workers.start();
    this.announcer.start();
    this.brokenWorkflows.start();
    this.lostWorkflows.start();
    this.startTimersLoop.start();
    await this.startCommonWork();
    void this.clusterStatus.get();
  }

  override async stop(graceMs: number): Promise<void> {
    const graceTimer = setTimeout(() => this.jobRunner.abortAll(), graceMs);
    // Requests to an unusable cluster would delay the stop until their deadlines. Other servers, or this one later, make
    // the announcements that it has not accepted.
    const isUnusable = this.announcer.isFailing || this.workers.getFailure() !== undefined;
    const abortTimer = setTimeout(() => this.cluster.abortRequests(), isUnusable ? 0 : STOP_REQUESTS_MS);
    await Promise.all([
      this.workers.stop(),
      this.brokenWorkflows.stop(),
      this.lostWorkflows.stop(),
      this.startTimersLoop.stop(),
      this.stopCommonWork(),
    ]);
    clearTimeout(graceTimer);
    await this.queue.waitUntilIdle();
    await this.announcer.stop();
    clearTimeout(abortTimer);
    await this.cluster.close();
  }

  protected override get maxPendingAnnouncements(): number {
    return this.configuration.MaxPendingAnnouncements;
  }

  override async status(): Promise<EngineStatus> {
    const { instanceId, startedAt } = this;
    const { maxActiveJobs } = this.dependencies.options;
    return {
      mode: 'temporal',
      version: PLUGIN_API_VERSION,
      instanceId,
      startedAt,
      workers: this.jobTypes.map((jobType) => ({
        jobType,
        active: this.workers.countActive(jobType),
        concurrency: maxActiveJobs,
      })),
      external: true,
      failing: [
        { work: 'timers', count: this.timerRunner.failingRuns },
        { work: 'start_timers', count: this.timerRunner.failingStartTimers },
        { work: 'run_messages', count: this.outbox.failingCount },
      ],
      commandsNotStorable: this.queue.notStorableCount,
      cluster: await this.clusterStatus.get(),
    };
  }

  /** Temporal decides which server runs a job. */
  protected override reserveOwner(): null {
    return null;
  }

  protected override handleCommitted(
    ...[{ run, announceAfterMs, jobsWithdrawn, fence }, { after }]: Parameters<CommitListener['committed']>
  ): void {
    for (const jobId of jobsWithdrawn) if (jobId !== fence?.jobId) this.jobRunner.abort(jobId);
    if (after !== null) this.timerRunner.handleCommitted(run.runId, after);
    if (announceAfterMs !== null && after !== null && after.engine === this.name)
      this.announcer.announce(run.runId, after);
  }

  protected override handleDiscarded(): void {
    // Nothing was reserved.
  }

  protected override handleDeployed(): void {
    this.areStartTimersAnnounced = false;
    this.startTimersLoop.wake();
  }

  /**
   * Announces the start timers after a start of the server and after a deployment, and checks that their workflow is
   * running.
   */
  private async announceStartTimers(): Promise<number> {
    const isAnnounced = this.areStartTimersAnnounced;
    this.areStartTimersAnnounced = true;
    try {
      await (isAnnounced ? this.cluster.ensureStartTimers() : this.cluster.announceStartTimers());
    } catch (error) {
      if (!isAnnounced) this.areStartTimersAnnounced = false;
      throw error;
    }
    return START_TIMERS_CHECK_MS;
  }
}
