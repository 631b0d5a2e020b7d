import type { RunState } from '@countersign/model';

/** The jobs and timers of a run that an engine must have started. */
export interface OpenWork {
  readonly jobs: readonly OpenJob[];
  readonly timers: readonly OpenTimer[];
}

export interface OpenJob {
  readonly jobId: string;
  readonly jobType: string;
  /** 1 for the first attempt. A job that is retried keeps its id. */
  readonly attempt: number;
  /** Time before which the attempt must not start, in ms since the epoch; `null`: now. */
  readonly startsAt: number | null;
}

export interface OpenTimer {
  readonly timerId: string;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Returns the open jobs and timers of a run. For an engine that compares them with what it has started. */
export function listOpenWork({ instances }: Pick<RunState, 'instances'>): OpenWork {
  const jobs: OpenJob[] = [];
  const timers: OpenTimer[] = [];
  for (const { waits = [], attempt } of Object.values(instances)) {
    for (const wait of waits) {
      if (wait.kind === 'timer') timers.push({ timerId: wait.timerId, dueAt: wait.dueAt });
      else if (wait.kind === 'job')
        jobs.push({
          jobId: wait.jobId,
          jobType: wait.jobType,
          attempt: wait.attempt ?? attempt,
          startsAt: wait.backoffUntil ?? null,
        });
    }
  }
  return { jobs, timers };
}
