import { isBpmnError } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import type { RunState } from '@countersign/model';
import type { CompiledVersion } from '../caches/workflow-cache.js';
import { isNotStorable } from '../commands/error-classification.js';
import { toJobError, toJobFailure, type JobError, type JobFailure } from './job-values.js';
import type { JobExecutor } from './job-executor.js';

/** Reports failed jobs to the engine. */
export interface JobFailureReporter {
  fail(job: ClaimedJob, failure: JobFailure): Promise<unknown>;
  throwError(job: ClaimedJob, error: JobError): Promise<unknown>;
}

/** The parts that run jobs, the same for all jobs of an engine. */
export interface JobParts {
  /** Executors by job type. */
  readonly executors: ReadonlyMap<string, JobExecutor>;
  readonly failures: JobFailureReporter;
}

/** A job to run, with the state of its run. */
export interface JobToRun {
  readonly job: ClaimedJob;
  readonly state: RunState;
  readonly workflow: CompiledVersion;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. Later failures are not reported. */
  readonly signal: AbortSignal;
  /** Returns the job with its current lease. */
  currentClaim(): ClaimedJob;
}

/**
 * Runs a job, outside of any transaction, and submits its result or its failure. A result that cannot be stored fails
 * the job permanently. Does nothing if the step is gone or nothing executes the job type.
 *
 * @throws if neither the result nor a failure could be submitted; the outcome of the job is then not recorded
 */
export async function runJob({ executors, failures }: JobParts, jobToRun: JobToRun): Promise<void> {
  const { job, state, workflow, signal, currentClaim } = jobToRun;
  const instance = Object.values(state.instances).find((each) => each.stepId === job.stepId);
  const node = workflow.graph.nodes.get(job.elementId);
  const execute = executors.get(job.jobType);
  if (instance === undefined || node?.kind !== 'jobTask' || execute === undefined) return;
  let submit: (() => Promise<unknown>) | undefined;
  try {
    submit = await execute({ job, state, instance, node, signal, currentClaim });
  } catch (error) {
    if (signal.aborted) return;
    submit = () => reportFailure(failures, currentClaim(), error);
  }
  if (submit === undefined) return;
  try {
    await submit();
  } catch (error) {
    // A tool call that is reported as failed counts as not executed, but this call may have been executed.
    if (!isNotStorable(error) || job.callId !== undefined) throw error;
    const { code, message } = error;
    await failures.fail(currentClaim(), { code, message, retryable: false });
  }
}

function reportFailure(failures: JobFailureReporter, job: ClaimedJob, thrown: unknown): Promise<unknown> {
  if (!isBpmnError(thrown)) return failures.fail(job, toJobFailure(thrown));
  let error: JobError;
  try {
    error = toJobError(thrown);
  } catch (invalid) {
    return failures.fail(job, toJobFailure(invalid));
  }
  return failures.throwError(job, error);
}
