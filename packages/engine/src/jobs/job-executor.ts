import type { ClaimedJob } from '@countersign/core/ports';
import type { ElementInstance, JobTask, RunState } from '@countersign/model';

/** Running job, with the state of its run when the job started. */
export interface RunningJob {
  readonly job: ClaimedJob;
  readonly state: RunState;
  readonly instance: ElementInstance;
  readonly node: JobTask;
  /**
   * Aborted when the step is cancelled, the lease is lost, or the server stops. Errors thrown afterwards are ignored.
   */
  readonly signal: AbortSignal;
  /** Returns the job with its current lease. */
  currentClaim(): ClaimedJob;
}

/**
 * Executes a job of one type.
 *
 * @returns a function that submits the result; `undefined` if there is nothing to submit
 * @throws {RetryableFailure | TerminalFailure | BpmnError} if the job fails; after any other error, the job is retried
 */
export type JobExecutor = (runningJob: RunningJob) => Promise<(() => Promise<unknown>) | undefined>;
