import { setTimeout } from 'node:timers/promises';
import type { LoggerPort } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import {
  type CompiledVersion,
  computeHoldMs,
  isLateResult,
  isNotStorable,
  type JobParts,
  KeyedCounter,
  runJob,
} from '@countersign/engine';
import type { RunState } from '@countersign/model';

/** One run may reserve at most the maximum of active jobs divided by this number. */
const MAX_SHARE_DIVISOR = 2;
/**
 * If a run has at least the maximum of active jobs divided by this number, jobs of other runs are claimed first.
 */
const LARGE_SHARE_DIVISOR = 4;

interface ActiveJob {
  /** Job with the epoch of its newest lease. */
  job: ClaimedJob;
  readonly abortController: AbortController;
  readonly runPromise: Promise<void>;
}

/** Runs the jobs whose leases this process holds. */
export class JobRunner {
  private readonly activeJobs = new Map<string, ActiveJob>();
  private reservedCount = 0;
  /** Running jobs and reservations, by run. */
  private readonly activeByRun = new KeyedCounter();
  /** Number of running jobs that are held and therefore take up no capacity. */
  private heldCount = 0;
  /** Aborted when the server starts to stop. */
  private readonly stopController = new AbortController();

  constructor(
    private readonly parts: JobParts,
    private readonly log: LoggerPort,
    private readonly maxActiveJobs: number,
  ) {}

  get jobTypes(): string[] {
    return [...this.parts.executors.keys()];
  }

  private get isStopping(): boolean {
    return this.stopController.signal.aborted;
  }

  /** Number of further jobs that may start or be reserved now. */
  get freeCapacity(): number {
    return this.isStopping
      ? 0
      : Math.max(0, this.maxActiveJobs - this.activeJobs.size + this.heldCount - this.reservedCount);
  }

  get activeIds(): string[] {
    return [...this.activeJobs.keys()];
  }

  activeByType(): { jobType: string; active: number }[] {
    return this.jobTypes.map((jobType) => ({
      jobType,
      active: [...this.activeJobs.values()].filter((each) => each.job.jobType === jobType).length,
    }));
  }

  /** Ids of the runs that have a large share of the active jobs. Jobs of other runs are claimed before theirs. */
  get runsOverShare(): string[] {
    return this.activeByRun.keysWithAtLeast(this.maxActiveJobs / LARGE_SHARE_DIVISOR);
  }

  /** Reserves capacity for a job that a commit is about to assign to this process. One run cannot reserve all of it. */
  reserve(jobType: string, runId: string): boolean {
    if (!this.parts.executors.has(jobType) || this.freeCapacity === 0) return false;
    if (this.activeByRun.get(runId) >= Math.max(1, this.maxActiveJobs / MAX_SHARE_DIVISOR)) return false;
    this.reservedCount += 1;
    this.activeByRun.increment(runId);
    return true;
  }

  releaseReservation(runId: string): void {
    this.reservedCount -= 1;
    this.activeByRun.decrement(runId);
  }

  /** Starts a job whose lease this process holds. */
  start(job: ClaimedJob, state: RunState, workflow: CompiledVersion): void {
    const active = this.activeJobs.get(job.jobId);
    if (active !== undefined) {
      // The lease of the job expired unnoticed (this process was paused), and this process was the first to claim the
      // job again.
      active.job = job;
      return;
    }
    const abortController = new AbortController();
    this.activeByRun.increment(job.runId);
    const runPromise = this.run(job, state, workflow, abortController.signal).finally(() => {
      this.activeJobs.delete(job.jobId);
      this.activeByRun.decrement(job.runId);
    });
    this.activeJobs.set(job.jobId, { job, abortController, runPromise });
  }

  /** Aborts a job whose step has ended or whose lease was lost. */
  abort(jobId: string, reason: string): void {
    this.activeJobs.get(jobId)?.abortController.abort(new Error(reason));
  }

  /** Stops accepting and reserving jobs. */
  stopAccepting(): void {
    this.stopController.abort();
  }

  /** Accepts no more jobs and waits for the running ones; aborts those still running after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.stopAccepting();
    const allDone = Promise.allSettled([...this.activeJobs.values()].map((each) => each.runPromise));
    const graceAbort = new AbortController();
    await Promise.race([allDone, abortableSleep(graceMs, graceAbort.signal)]);
    graceAbort.abort();
    for (const { abortController } of this.activeJobs.values())
      abortController.abort(new Error('the server is stopping'));
  }

  /**
   * Runs a job. If its outcome cannot be submitted, it is dropped: the lease expires, and the job runs again. If not even
   * its failure can be stored, the job is held, so that its work is not repeated whenever a lease expires.
   */
  private async run(job: ClaimedJob, state: RunState, workflow: CompiledVersion, signal: AbortSignal): Promise<void> {
    try {
      await runJob(this.parts, { job, state, workflow, signal, currentClaim: () => this.getCurrentClaim(job) });
    } catch (error) {
      const fields = { err: error, runId: job.runId, jobId: job.jobId };
      if (isLateResult(error)) this.log.debug(fields, 'discarded a late job result');
      else if (isNotStorable(error)) await this.holdJob(job, fields, signal);
      else this.log.warn(fields, 'could not deliver a job result; the job will be claimed again');
    }
  }

  /** Returns the job with the epoch of its newest lease. */
  private getCurrentClaim(job: ClaimedJob): ClaimedJob {
    return this.activeJobs.get(job.jobId)?.job ?? job;
  }

  private async holdJob(job: ClaimedJob, fields: object, signal: AbortSignal): Promise<void> {
    const ms = computeHoldMs(this.getCurrentClaim(job).epoch);
    this.log.warn({ ...fields, holdMs: ms }, 'could not store a job result or its failure; holding the job');
    this.heldCount += 1;
    await abortableSleep(ms, AbortSignal.any([signal, this.stopController.signal]));
    this.heldCount -= 1;
  }
}

async function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
