import { isApiError, isBpmnError, type LoggerPort } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import type { ErrorCode, RunState } from '@countersign/model';
import type { CompiledVersion } from '../workflow-cache.js';
import { jobError, jobFailure, type JobError, type JobFailure } from './job-values.js';
import type { JobWork } from './job-work.js';

/** Where what comes to nothing goes. */
export interface JobFailures {
  fail(job: ClaimedJob, failure: JobFailure): Promise<unknown>;
  throwError(job: ClaimedJob, error: JobError): Promise<unknown>;
}

interface ActiveJob {
  /** With the epoch of the newest lease. */
  job: ClaimedJob;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Has jobs done, outside of any transaction, and their results handed back to the engine. */
export class JobRunner {
  private readonly active = new Map<string, ActiveJob>();
  private reserved = 0;
  private stopping = false;

  constructor(
    private readonly works: ReadonlyMap<string, JobWork>,
    private readonly failures: JobFailures,
    private readonly log: LoggerPort,
    private readonly maxActive: number,
  ) {}

  get jobTypes(): string[] {
    return [...this.works.keys()];
  }

  get capacity(): number {
    return this.stopping ? 0 : Math.max(0, this.maxActive - this.active.size - this.reserved);
  }

  get activeIds(): string[] {
    return [...this.active.keys()];
  }

  activeByType(): { jobType: string; active: number }[] {
    return this.jobTypes.map((jobType) => ({
      jobType,
      active: [...this.active.values()].filter((each) => each.job.jobType === jobType).length,
    }));
  }

  /** Keeps a place for a job that the present commit gives to this process. */
  reserve(jobType: string): boolean {
    if (!this.works.has(jobType) || this.capacity === 0) return false;
    this.reserved += 1;
    return true;
  }

  unreserve(): void {
    this.reserved -= 1;
  }

  /** Starts on a job that is this process's by its lease. */
  start(job: ClaimedJob, state: RunState, workflow: CompiledVersion): void {
    const active = this.active.get(job.jobId);
    if (active !== undefined) {
      // Its lease ran out unnoticed (a pause of this process), and nobody was faster to claim it than this process.
      active.job = job;
      return;
    }
    const abort = new AbortController();
    const done = this.run(job, state, workflow, abort.signal).finally(() => this.active.delete(job.jobId));
    this.active.set(job.jobId, { job, abort, done });
  }

  /** The step is gone, or someone else has the job. */
  abort(jobId: string, reason: string): void {
    this.active.get(jobId)?.abort.abort(new Error(reason));
  }

  /** Keeps no more places for jobs. */
  refuse(): void {
    this.stopping = true;
  }

  /** Takes no more jobs and waits for those in hand; what is left after `graceMs` is aborted. */
  async stop(graceMs: number): Promise<void> {
    this.refuse();
    const all = Promise.allSettled([...this.active.values()].map((each) => each.done));
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([all, grace]);
    clearTimeout(timer);
    for (const { abort } of this.active.values()) abort.abort(new Error('the server stops'));
  }

  private async run(job: ClaimedJob, state: RunState, workflow: CompiledVersion, signal: AbortSignal): Promise<void> {
    const instance = Object.values(state.instances).find((each) => each.stepId === job.stepId);
    const node = workflow.graph.nodes.get(job.elementId);
    const work = this.works.get(job.jobType);
    if (instance === undefined || node?.kind !== 'jobTask' || work === undefined) return;
    const leased = (): ClaimedJob => this.leased(job);
    try {
      const report = await work({ job, state, instance, node, signal, leased });
      if (report !== undefined) await this.report(job, report);
    } catch (error) {
      if (signal.aborted) return;
      await this.report(job, () => this.cameToNothing(leased(), error));
    }
  }

  private cameToNothing(job: ClaimedJob, thrown: unknown): Promise<unknown> {
    if (!isBpmnError(thrown)) return this.failures.fail(job, jobFailure(thrown));
    let error: JobError;
    try {
      error = jobError(thrown);
    } catch (invalid) {
      return this.failures.fail(job, jobFailure(invalid));
    }
    return this.failures.throwError(job, error);
  }

  /** The job under the lease that it has by now. */
  private leased(job: ClaimedJob): ClaimedJob {
    return this.active.get(job.jobId)?.job ?? job;
  }

  /** A result that can't be delivered is dropped: the lease runs out, and the job is done again. */
  private async report(job: ClaimedJob, deliver: () => Promise<unknown>): Promise<void> {
    try {
      await deliver();
    } catch (error) {
      const expected = isApiError(error) && EXPECTED.has(error.code);
      const fields = { err: error, runId: job.runId, jobId: job.jobId };
      if (expected) this.log.debug(fields, 'a job result came too late');
      else this.log.warn(fields, 'a job result could not be delivered; the job will be given out again');
    }
  }
}

const EXPECTED: ReadonlySet<string> = new Set<ErrorCode>(['job_not_active', 'run_already_ended']);
