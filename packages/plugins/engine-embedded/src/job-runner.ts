import { visibleVariables, type ElementInstance, type JobTask, type Mapping, type RunState } from '@countersign/core/engine';
import {
  BpmnError,
  CountersignError,
  type ClaimedJob,
  type Job,
  type JobHandlerContribution,
  type JsonObject,
  type LoggerPort,
} from '@countersign/core/plugin';
import { checkArtifact, jobError, jobFailure, jobResult, type JobError, type JobFailure } from './job-values.js';
import type { CompiledVersion } from './workflow-cache.js';

/** Where the runner's results go. */
export interface JobResults {
  complete(job: ClaimedJob, output: JsonObject, agentName: string | null): Promise<unknown>;
  fail(job: ClaimedJob, failure: JobFailure): Promise<unknown>;
  throwError(job: ClaimedJob, error: JobError): Promise<unknown>;
  putArtifact(job: ClaimedJob, ...content: Parameters<Job['putArtifact']>): ReturnType<Job['putArtifact']>;
}

interface ActiveJob {
  /** With the epoch of the newest lease. */
  job: ClaimedJob;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Hands jobs to their handlers, outside of any transaction, and their results back to the engine. */
export class JobRunner {
  private readonly handlers = new Map<string, JobHandlerContribution>();
  private readonly active = new Map<string, ActiveJob>();
  private reserved = 0;
  private stopping = false;

  constructor(
    handlers: readonly JobHandlerContribution[],
    private readonly results: JobResults,
    private readonly log: LoggerPort,
    private readonly maxActive: number,
  ) {
    for (const handler of handlers) {
      if (this.handlers.has(handler.jobType)) {
        throw new CountersignError('duplicate_job_type', `Two plugins serve the job type "${handler.jobType}".`);
      }
      this.handlers.set(handler.jobType, handler);
    }
  }

  get jobTypes(): string[] {
    return [...this.handlers.keys()];
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
    if (!this.handlers.has(jobType) || this.capacity === 0) return false;
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

  /** The step is gone, or somebody else has the job. */
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
    const handler = this.handlers.get(job.jobType);
    if (instance === undefined || node?.kind !== 'jobTask' || handler === undefined) return;
    const { headers } = node;
    try {
      const output = await this.execute(handler, job, state, instance, node, signal);
      if (signal.aborted) return;
      await this.report(job, () => this.results.complete(this.leased(job), output, headers['agent'] ?? null));
    } catch (error) {
      if (signal.aborted) return;
      await this.report(job, () => this.cameToNothing(this.leased(job), error));
    }
  }

  private cameToNothing(job: ClaimedJob, thrown: unknown): Promise<unknown> {
    if (!(thrown instanceof BpmnError)) return this.results.fail(job, jobFailure(thrown));
    let error: JobError;
    try {
      error = jobError(thrown);
    } catch (invalid) {
      return this.results.fail(job, jobFailure(invalid));
    }
    return this.results.throwError(job, error);
  }

  private async execute(
    handler: JobHandlerContribution,
    job: ClaimedJob,
    state: RunState,
    instance: ElementInstance,
    { headers, inputs: mappings }: JobTask,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    // Copies: the state is what later commands are decided on, and a handler may write to what it was given.
    const variables = structuredClone(visibleVariables((key) => state.instances[key], instance));
    const inputs = structuredClone(mappedInputs(mappings, instance));
    const output: unknown = await handler.execute({
      jobId: job.jobId,
      runId: job.runId,
      workflowId: state.workflowId,
      stepId: job.stepId,
      elementId: job.elementId,
      jobType: job.jobType,
      attempt: job.attempt,
      headers,
      variables,
      inputs,
      toolConstraints: job.toolConstraints,
      signal,
      putArtifact: async (name, content, contentType) => {
        checkArtifact(name, contentType);
        return this.results.putArtifact(this.leased(job), name, content, contentType);
      },
    });
    return jobResult(output);
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
      const expected = error instanceof CountersignError && EXPECTED.has(error.code);
      const fields = { err: error, runId: job.runId, jobId: job.jobId };
      if (expected) this.log.debug(fields, 'a job result came too late');
      else this.log.warn(fields, 'a job result could not be delivered; the job will be given out again');
    }
  }
}

/** What the mappings wrote to the step's own variables; others of the same scope (a turn of a loop has some) are left out. */
function mappedInputs(mappings: readonly Mapping[], { variables = {} }: ElementInstance): JsonObject {
  const names = new Set(mappings.map(({ target }) => target[0]));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}

const EXPECTED: ReadonlySet<string> = new Set(['job_not_active', 'run_already_ended']);
