import type { RunAnnouncement } from './run-announcement.js';

/** Activity that runs a job, on the task queue of its job type. */
export interface JobActivities {
  /** Runs a job, commits its result, and returns what is open afterwards. */
  runJob(job: {
    readonly runId: string;
    readonly jobId: string;
    readonly attempt: number;
    /** The job is executed on this revision of the run, or a later one. */
    readonly revision: number;
  }): Promise<RunAnnouncement>;
}

/** Activities on the task queue of the workflows. */
export interface TimerActivities {
  /** Fires the due timers of a run, and returns what is open afterwards. */
  fireTimers(run: { readonly runId: string }): Promise<FiredTimers>;
  /** Starts runs for the due start timers of all workflows. */
  fireStartTimers(): Promise<{
    /** Time until the next start timer is due, in ms; `null` if there is none. */
    readonly nextDueInMs: number | null;
  }>;
}

export interface FiredTimers {
  readonly announcement: RunAnnouncement;
  /** Whether a due timer could not be fired. */
  readonly hasFailed: boolean;
}
