import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobActivities, TimerActivities } from './activities.js';
import { getJobQueue } from './names.js';
import type { AnnouncedJob, RunAnnouncement } from './run-announcement.js';

export interface RunWorkflowInput {
  readonly runId: string;
  /** Prefix of the task queues. */
  readonly prefix: string;
  /** What the workflow knew when it continued as new; `null` when it starts. */
  readonly known: RunAnnouncement | null;
  /** Lead of the server's clock over Temporal's, in ms, when the workflow continued as new. */
  readonly clockLeadMs?: number;
}

/** Tells the workflow of a run what is open. Repeated, late and reordered signals are harmless. */
export const announced = defineSignal<[RunAnnouncement]>('announced');

/** Pause after an activity or a timer failed for a reason that a repetition may fix, in ms. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Pause between attempts to fire a timer that is not due by the clock of the server, in ms. */
const MIN_EARLY_PAUSE_MS = 100;
/**
 * From these sizes of the history on, the workflow continues as new although activities are in progress, which then
 * start again. Temporal ends workflows with 51,200 events or 50 MB.
 */
const MAX_EVENTS = 30_000;
const MAX_HISTORY_BYTES = 30_000_000;

// Not local: if a server cannot fire timers, because its clock is wrong, another one does.
const timerActivities = proxyActivities<TimerActivities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '3s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/**
 * Starts the open jobs and timers of a run. The storage of Countersign decides everything: the workflow only compares
 * what is open with what it has started, starts what is new, and cancels what is gone.
 */
export async function countersignRun(input: RunWorkflowInput): Promise<void> {
  const run = new RunWork(input);
  setHandler(announced, (announcement) => run.accept(announcement));
  await Promise.race([run.startJobs(), run.fireTimers()]);
}

class RunWork {
  private known: RunAnnouncement | null = null;
  private hasNews = false;
  /** Lead of the server's clock over Temporal's, in ms, if it is ahead. */
  private clockLeadMs = 0;
  /** Scopes of the started jobs, by job and attempt. */
  private readonly startedJobs = new Map<string, CancellationScope>();
  /** Number of activities in progress. They would end if the workflow continued as new. */
  private activeCount = 0;

  constructor(private readonly input: RunWorkflowInput) {
    if (input.known !== null) this.accept(input.known);
    this.clockLeadMs = Math.max(this.clockLeadMs, input.clockLeadMs ?? 0);
  }

  accept(announcement: RunAnnouncement): void {
    if (this.known !== null && announcement.revision <= this.known.revision) return;
    this.known = announcement;
    this.clockLeadMs = Math.max(0, announcement.sentAt - Date.now());
    this.hasNews = true;
  }

  /** Starts and cancels jobs until the run has ended. */
  async startJobs(): Promise<void> {
    for (;;) {
      await condition(() => this.hasNews || this.canContinueAsNew);
      const { known } = this;
      if (known?.hasEnded === true) return;
      if (this.canContinueAsNew)
        await continueAsNew<typeof countersignRun>({ ...this.input, known, clockLeadMs: this.clockLeadMs });
      this.hasNews = false;
      const openJobs = new Map((known?.jobs ?? []).map((job) => [`${job.jobId}:${job.attempt}`, job]));
      for (const [key, scope] of this.startedJobs) {
        if (openJobs.has(key) || known?.hasAllJobs === false) continue;
        this.startedJobs.delete(key);
        scope.cancel();
      }
      for (const [key, job] of openJobs) if (!this.startedJobs.has(key)) this.startJob(key, job);
    }
  }

  /** Fires the timers of the run. Never returns. */
  async fireTimers(): Promise<void> {
    let retryAt = 0;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      await condition(() => this.nextTimerAt !== null);
      const dueAt = this.nextTimerAt ?? 0;
      const delayMs = Math.max(this.toDelay(dueAt), retryAt - Date.now());
      retryAt = 0;
      if (delayMs > 0 && (await condition(() => this.nextTimerAt !== dueAt, delayMs))) continue;
      const revision = this.known?.revision ?? 0;
      const { announcement, hasFailed } = await this.track(timerActivities.fireTimers({ runId: this.input.runId }));
      this.accept(announcement);
      if (announcement.nextTimerAt === null || announcement.nextTimerAt > dueAt) {
        pauseMs = FIRST_PAUSE_MS;
        continue;
      }
      const earlyMs = announcement.nextTimerAt - announcement.sentAt;
      if (!hasFailed && earlyMs > 0) {
        // Not due by the server's clock.
        retryAt = Date.now() + Math.max(MIN_EARLY_PAUSE_MS, earlyMs);
      } else if (hasFailed || announcement.revision <= revision) {
        retryAt = Date.now() + pauseMs;
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
      // Otherwise, more timers are due than one activity fires.
    }
  }

  private startJob(key: string, job: AnnouncedJob): void {
    const scope = new CancellationScope();
    this.startedJobs.set(key, scope);
    const forget = (): void => {
      if (this.startedJobs.get(key) === scope) this.startedJobs.delete(key);
    };
    scope
      .run(() => this.runJob(job))
      .then(forget, async () => {
        // A job that `startJobs` has cancelled is no longer in the map.
        if (this.startedJobs.get(key) !== scope) return;
        await sleep(FIRST_PAUSE_MS);
        forget();
        this.hasNews = true;
      })
      // The workflow itself was cancelled.
      .catch(() => undefined);
  }

  private async runJob({ jobId, jobType, attempt, startsAt }: AnnouncedJob): Promise<void> {
    if (startsAt !== null) {
      const delayMs = this.toDelay(startsAt);
      if (delayMs > 0) await sleep(delayMs);
    }
    const activities = proxyActivities<JobActivities>({
      taskQueue: getJobQueue(this.input.prefix, jobType),
      // A job may take days. The heartbeats show whether its server is alive.
      startToCloseTimeout: '365d',
      heartbeatTimeout: '5s',
      retry: { initialInterval: '100ms', maximumInterval: '5s' },
      cancellationType: 'TRY_CANCEL',
    });
    const { runId } = this.input;
    const revision = this.known?.revision ?? 0;
    this.accept(await this.track(activities.runJob({ runId, jobId, attempt, revision })));
  }

  private async track<T>(activity: Promise<T>): Promise<T> {
    this.activeCount += 1;
    try {
      return await activity;
    } finally {
      this.activeCount -= 1;
    }
  }

  private get nextTimerAt(): number | null {
    return this.known?.nextTimerAt ?? null;
  }

  /** Returns the time until a time of the server, in ms. */
  private toDelay(at: number): number {
    return at - this.clockLeadMs - Date.now();
  }

  private get canContinueAsNew(): boolean {
    return (workflowInfo().continueAsNewSuggested && this.activeCount === 0) || this.isTooLong;
  }

  private get isTooLong(): boolean {
    const { historyLength, historySize } = workflowInfo();
    return historyLength > MAX_EVENTS || historySize > MAX_HISTORY_BYTES;
  }
}
