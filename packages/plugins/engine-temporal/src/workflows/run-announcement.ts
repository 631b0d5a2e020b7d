/**
 * What the workflow of a run knows of the run: which jobs and timers are open at a revision. It contains no variables,
 * comments or decisions, because Temporal keeps them, and Countersign could not erase them there.
 */
export interface RunAnnouncement {
  readonly revision: number;
  readonly hasEnded: boolean;
  /** At most {@link MAX_ANNOUNCED_JOBS}. Further jobs are announced when some of these have ended. */
  readonly jobs: readonly AnnouncedJob[];
  /** Whether `jobs` has all open jobs. Otherwise, a missing job may still be open. */
  readonly hasAllJobs: boolean;
  /** Due time of the next timer, in ms since the epoch; `null` if the run waits for none. */
  readonly nextTimerAt: number | null;
  /** Time of the server when it built the announcement, in ms since the epoch. */
  readonly sentAt: number;
}

export interface AnnouncedJob {
  readonly jobId: string;
  readonly jobType: string;
  readonly attempt: number;
  /** Time before which the attempt must not start, in ms since the epoch; `null`: now. */
  readonly startsAt: number | null;
}

/**
 * Maximum number of jobs of a run that Temporal runs concurrently. Each result of a job contains the open jobs, so more
 * would make the histories long.
 */
export const MAX_ANNOUNCED_JOBS = 100;
