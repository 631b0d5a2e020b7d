import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import type { ClaimedJob, StoragePort } from '@countersign/core/ports';
import {
  type CachedRun,
  type CompiledVersion,
  computeHoldMs,
  isLateResult,
  isNotStorable,
  type JobParts,
  listOpenWork,
  runJob,
} from '@countersign/engine';
import type { RunState } from '@countersign/model';
import { Context } from '@temporalio/activity';
import { buildAnnouncement } from './build-announcement.js';
import { ActivityRefusal } from './run-activity.js';
import type { RunLoader } from './run-loader.js';
import type { JobActivities } from './workflows/activities.js';
import type { RunAnnouncement } from './workflows/run-announcement.js';

export interface JobActivityParts {
  readonly jobs: JobParts;
  readonly storage: Pick<StoragePort, 'takeJob'>;
  readonly runs: Pick<RunLoader, 'load'>;
  readonly clock: ClockPort;
  readonly log: LoggerPort;
  /** Id of this process. */
  readonly owner: string;
  getWorkflow(workflowId: string, version: number): Promise<CompiledVersion>;
}

type JobRequest = Parameters<JobActivities['runJob']>[0];

/** Runs jobs as activities. */
export class JobRunner implements JobActivities {
  private readonly abortControllers = new Map<string, AbortController>();
  private isStopping = false;

  constructor(private readonly parts: JobActivityParts) {}

  /** Aborts a job that a command of this server has withdrawn. Other servers learn of it from their next heartbeat. */
  abort(jobId: string): void {
    this.abortControllers.get(jobId)?.abort(new Error('the step was cancelled'));
  }

  /** Aborts all jobs of this server, which stops. Temporal gives them to other servers. */
  abortAll(): void {
    this.isStopping = true;
    for (const controller of this.abortControllers.values()) controller.abort(new Error('the server is stopping'));
  }

  async runJob(request: JobRequest): Promise<RunAnnouncement> {
    const { runId, jobId, attempt } = request;
    const before = await this.parts.runs.load(runId, (run) => run.revision >= request.revision && isOpen(run, request));
    // An earlier attempt of the activity may have committed the result.
    if (!isOpen(before, request)) return this.announce(before);
    // A job that this server claims, but does not start, seems to have been lost during its execution.
    if (this.isStopping) throw new ActivityRefusal('The server is stopping.');
    const job = await this.parts.storage.takeJob(jobId, attempt, this.parts.owner);
    if (job !== undefined) await this.execute(job, before.state);
    const after = await this.parts.runs.load(runId, (run) => !isOpen(run, request) && run.revision >= before.revision);
    // The step was cancelled, or the server stops. In the second case, Temporal gives the job to another server.
    if (isOpen(after, request)) throw new ActivityRefusal('The job has no result yet.');
    return this.announce(after);
  }

  private async execute(job: ClaimedJob, state: RunState): Promise<void> {
    const { jobs, log } = this.parts;
    const { jobId } = job;
    const controller = new AbortController();
    // Temporal did not receive the heartbeats of an earlier activity for this job. Its result will be refused, because
    // this one has claimed the job.
    this.abortControllers.get(jobId)?.abort(new Error('the job was started again'));
    this.abortControllers.set(jobId, controller);
    try {
      const signal = AbortSignal.any([Context.current().cancellationSignal, controller.signal]);
      const workflow = await this.parts.getWorkflow(state.workflowId, state.workflowVersion);
      if (this.isStopping || signal.aborted) return;
      await runJob(jobs, { job, state, workflow, signal, currentClaim: () => job });
    } catch (error) {
      const fields = { err: error, runId: job.runId, jobId };
      if (isLateResult(error)) return log.debug(fields, 'discarded a late job result');
      if (!isNotStorable(error)) throw error;
      const holdMs = computeHoldMs(job.epoch);
      log.warn({ ...fields, holdMs }, 'could not store a job result or its failure; holding the job');
      throw new ActivityRefusal('Neither the result of the job nor its failure could be stored.', holdMs);
    } finally {
      if (this.abortControllers.get(jobId) === controller) this.abortControllers.delete(jobId);
    }
  }

  private announce(run: CachedRun): RunAnnouncement {
    return buildAnnouncement(run, this.parts.clock.now());
  }
}

function isOpen({ state }: CachedRun, { jobId, attempt }: JobRequest): boolean {
  return listOpenWork(state).jobs.some((job) => job.jobId === jobId && job.attempt === attempt);
}
