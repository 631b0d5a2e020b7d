import { inject, injectable } from 'inversify';
import { PLUGIN_API_VERSION } from '@countersign/core/plugin';
import type { ClaimedJob, EngineStatus, RunWrite, StartTimerRecord, StoragePort } from '@countersign/core/ports';
import {
  type CachedRun,
  CommandEngine,
  type CommitListener,
  EngineDependencies,
  toCachedRun,
} from '@countersign/engine';
import { JobClaimer } from './job-claimer.js';
import { JobRunner } from './job-runner.js';
import { TimerLoop, type TimerSource } from './timer-loop.js';

/** Longest pause between attempts to fire the timers of a run, in ms. Other timers of the run wait as well. */
const MAX_TIMER_PAUSE_MS = 60_000;
/** Longest pause between these attempts after a transient error, in ms. */
const MAX_TRANSIENT_PAUSE_MS = 2_000;

type DueTimer = Awaited<ReturnType<StoragePort['listDueTimers']>>[number];

/** Engine that runs inside the server: it claims jobs and fires timers itself, from the tables of the storage. */
@injectable()
export class EmbeddedEngine extends CommandEngine {
  readonly name = 'embedded';
  private readonly runner: JobRunner;
  private readonly claimer: JobClaimer;
  private readonly timers: TimerLoop<DueTimer>;
  private readonly startTimers: TimerLoop<StartTimerRecord>;

  constructor(@inject(EngineDependencies) dependencies: EngineDependencies) {
    super(dependencies);
    const { storage, clock, log, options } = dependencies;
    this.runner = new JobRunner(this.jobs, log, options.maxActiveJobs);
    this.claimer = new JobClaimer(storage, this.runner, log, this.instanceId, options, (jobs) =>
      this.startClaimed(jobs),
    );
    const timers: TimerSource<DueTimer> = {
      listDue: (now, limit, excludedRunIds) => storage.listDueTimers(now, limit, excludedRunIds),
      findNextDueTime: (now) => storage.nextTimerAt(now),
      getId: ({ timerId }) => timerId,
      getOwner: ({ runId }) => runId,
      isCached: ({ runId }) => this.runs.has(runId),
    };
    const { retryBackoffMs, retryBackoffMaxMs } = options.settings;
    const backoff = {
      firstMs: retryBackoffMs,
      maxMs: Math.min(MAX_TIMER_PAUSE_MS, retryBackoffMaxMs),
      maxTransientMs: Math.min(MAX_TRANSIENT_PAUSE_MS, retryBackoffMaxMs),
    };
    const timerOptions = { instanceId: this.instanceId, pollMs: options.pollMs, backoff };
    this.timers = new TimerLoop('timers', timerOptions, timers, clock, log, (timer) => this.fireTimer(timer));
    const startTimerId = ({ workflowId, elementId }: StartTimerRecord): string => `${workflowId} ${elementId}`;
    const startTimers = {
      listDue: async (now: number, limit: number, excludedIds: readonly string[]) =>
        (await storage.listDueStartTimers(now, limit)).filter((timer) => !excludedIds.includes(startTimerId(timer))),
      findNextDueTime: (now: number) => storage.nextStartTimerAt(now),
      getId: startTimerId,
      getOwner: startTimerId,
    };
    this.startTimers = new TimerLoop('start timers', timerOptions, startTimers, clock, log, (timer) =>
      this.fireStartTimer(timer),
    );
  }

  override async start(): Promise<void> {
    this.claimer.start();
    this.timers.start();
    this.startTimers.start();
    await this.startCommonWork();
  }

  override async stop(graceMs: number): Promise<void> {
    this.runner.stopAccepting();
    await Promise.all([
      this.timers.stop(),
      this.startTimers.stop(),
      this.stopCommonWork(),
      this.claimer.stopClaiming(),
    ]);
    // A commit in progress may still assign a job to this process. That job starts, and the stop waits for it.
    await this.queue.waitUntilIdle();
    await this.runner.stop(graceMs);
    await this.claimer.stopRenewing();
    await this.queue.waitUntilIdle();
    await this.dependencies.storage.releaseJobs(this.instanceId);
  }

  override async status(): Promise<EngineStatus> {
    return {
      mode: 'embedded',
      version: PLUGIN_API_VERSION,
      instanceId: this.instanceId,
      startedAt: this.startedAt,
      workers: this.runner
        .activeByType()
        .map((worker) => ({ ...worker, concurrency: this.dependencies.options.maxActiveJobs })),
      external: false,
      failing: [
        { work: 'timers', count: this.timers.failingCount },
        { work: 'start_timers', count: this.startTimers.failingCount },
        { work: 'run_messages', count: this.outbox.failingCount },
      ],
      commandsNotStorable: this.queue.notStorableCount,
    };
  }

  protected override reserveOwner(jobType: string, runId: string): string | null {
    return this.runner.reserve(jobType, runId) ? this.instanceId : null;
  }

  protected override handleCommitted(
    ...[write, preparedWrite, workflow]: Parameters<CommitListener['committed']>
  ): void {
    this.handleDiscarded(write);
    for (const { owner, jobId, stepId, elementId, jobType, attempt, toolConstraints, callId } of write.jobsOffered) {
      if (owner === null) continue;
      const job = { jobId, runId: write.run.runId, stepId, elementId, jobType, attempt, toolConstraints, epoch: 1 };
      this.runner.start(callId === undefined ? job : { ...job, callId }, preparedWrite.result.state, workflow);
    }
    for (const jobId of write.jobsWithdrawn) {
      if (jobId !== write.fence?.jobId) this.runner.abort(jobId, 'the step was cancelled');
    }
    if (write.jobsOffered.some((job) => job.owner === null)) this.claimer.wake();
    for (const job of write.jobsRescheduled) this.claimer.wakeIn(job.dueAt - this.dependencies.clock.now());
    if (write.timersArmed.length > 0) this.timers.wake();
  }

  /** Releases the capacity that was reserved for the jobs of a command. */
  protected override handleDiscarded(write: RunWrite): void {
    for (const job of write.jobsOffered) if (job.owner !== null) this.runner.releaseReservation(write.run.runId);
  }

  protected override handleDeployed(): void {
    this.startTimers.wake();
  }

  /** Starts claimed jobs. Many may belong to one run with a large state, so each run is loaded once. */
  private async startClaimed(jobs: readonly ClaimedJob[]): Promise<void> {
    const runs = new Map<string, CachedRun>();
    for (const [runId, stored] of await this.dependencies.storage.loadRuns([
      ...new Set(jobs.map((job) => job.runId)),
    ])) {
      const run = toCachedRun(stored);
      runs.set(runId, run);
      this.runs.put(runId, run);
    }
    await Promise.all(
      jobs.map(async (job) => {
        const state = runs.get(job.runId)?.state;
        if (state !== undefined)
          this.runner.start(job, state, await this.workflows.get(state.workflowId, state.workflowVersion));
      }),
    );
  }
}
