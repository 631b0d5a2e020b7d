import type { ClaimedJob } from '@countersign/core/ports';
import type { ElementInstance, JobTask, RunState } from '@countersign/model';

/** A job in hand, with what the run was when it was taken. */
export interface RunningJob {
  readonly job: ClaimedJob;
  readonly state: RunState;
  readonly instance: ElementInstance;
  readonly node: JobTask;
  /** Aborted when the step is cancelled, the lease is lost, or the server stops. What is thrown afterwards is heard by nobody. */
  readonly signal: AbortSignal;
  /** The job under the lease that it has by now. */
  leased(): ClaimedJob;
}

/**
 * Does a job of one type.
 *
 * @returns what hands its result in; `undefined`: there is nothing to hand in
 * @throws {RetryableFailure}, {TerminalFailure}, {BpmnError}, or anything else, which is tried again
 */
export type JobExecutor = (hand: RunningJob) => Promise<(() => Promise<unknown>) | undefined>;
