import type { ClockPort, LoggerPort } from '@countersign/core/plugin';
import { FailureLog } from '@countersign/core/plugin';
import type { StartTimerRecord, StoragePort } from '@countersign/core/ports';
import { type CachedRun, isPermanentRefusal, listOpenWork, type OpenTimer } from '@countersign/engine';
import { buildAnnouncement } from './build-announcement.js';
import { FailedTimers } from './failed-timers.js';
import { ActivityRefusal } from './run-activity.js';
import type { RunLoader } from './run-loader.js';
import type { FiredTimers, TimerActivities } from './workflows/activities.js';

/** Maximum number of timers that one activity fires, so that it ends in time. */
const MAX_FIRED = 20;
/** Time after which an activity fires no more timers, in ms. Temporal repeats it after 30 s. */
const MAX_FIRING_MS = 10_000;
const MAX_FIRED_START_TIMERS = 100;
/** Pause after a start timer could not be fired, in ms. */
const FAILED_PAUSE_MS = 5_000;

export interface TimerActivityParts {
  readonly storage: Pick<StoragePort, 'listDueStartTimers' | 'nextStartTimerAt'>;
  readonly runs: Pick<RunLoader, 'load'>;
  readonly clock: ClockPort;
  readonly log: LoggerPort;
  fireTimer(timer: { readonly runId: string; readonly timerId: string }): Promise<void>;
  fireStartTimer(timer: StartTimerRecord): Promise<void>;
}

/** Fires timers as activities. The clock of the database decides whether a timer is due. */
export class TimerRunner implements TimerActivities {
  /** Number of start timers that could not be fired by the last activity. */
  failingStartTimers = 0;
  private readonly failedTimers = new FailedTimers();
  private readonly failures: FailureLog;
  private readonly startFailures: FailureLog;

  constructor(private readonly parts: TimerActivityParts) {
    this.failures = new FailureLog(parts.log, 'could not fire a timer; it will be retried');
    this.startFailures = new FailureLog(parts.log, 'could not fire a start timer; it will be retried');
  }

  /** Number of runs with a timer that this server could not fire. */
  get failingRuns(): number {
    return this.failedTimers.runCount;
  }

  /** Forgets the failed timers that a command of this server has closed. */
  handleCommitted(runId: string, { state }: CachedRun): void {
    if (this.failedTimers.hasAny(runId)) this.failedTimers.keepOnly(runId, listOpenWork(state).timers);
  }

  async fireTimers({ runId }: { readonly runId: string }): Promise<FiredTimers> {
    this.requireRightClock();
    const now = this.parts.clock.now();
    const before = await this.parts.runs.load(runId, (run) => listDueTimers(run, now).length > 0);
    const dueTimers = this.putFailedTimersLast(runId, listDueTimers(before, now));
    const firedIds = new Set<string>();
    let hasFailed = false;
    const startedAt = performance.now();
    for (const { timerId } of dueTimers) {
      if (firedIds.size === MAX_FIRED || performance.now() - startedAt > MAX_FIRING_MS) break;
      try {
        await this.parts.fireTimer({ runId, timerId });
        firedIds.add(timerId);
        this.failures.recordSuccess();
      } catch (error) {
        hasFailed = true;
        this.failedTimers.add(runId, timerId);
        this.failures.recordFailure(error, { runId, timerId });
        // The others would fail for the same reason, for example because the database is unreachable.
        if (!isPermanentRefusal(error)) break;
      }
    }
    const after = await this.parts.runs.load(
      runId,
      ({ revision, state }) =>
        firedIds.size > 0 &&
        revision >= before.revision &&
        !listOpenWork(state).timers.some(({ timerId }) => firedIds.has(timerId)),
    );
    this.failedTimers.keepOnly(runId, listOpenWork(after.state).timers);
    return { announcement: buildAnnouncement(after, this.parts.clock.now()), hasFailed };
  }

  /** There may be more timers that cannot fire than one activity attempts. The others must not wait for them forever. */
  private putFailedTimersLast(runId: string, timers: readonly OpenTimer[]): OpenTimer[] {
    const hasFailedBefore = ({ timerId }: OpenTimer): number => Number(this.failedTimers.has(runId, timerId));
    return timers.toSorted((one, other) => hasFailedBefore(one) - hasFailedBefore(other));
  }

  async fireStartTimers(): Promise<{ nextDueInMs: number | null }> {
    this.requireRightClock();
    const { storage, clock } = this.parts;
    const now = clock.now();
    const timers = await storage.listDueStartTimers(now, MAX_FIRED_START_TIMERS);
    this.failingStartTimers = 0;
    for (const timer of timers) {
      try {
        await this.parts.fireStartTimer(timer);
      } catch (error) {
        this.failingStartTimers += 1;
        this.startFailures.recordFailure(error, { workflowId: timer.workflowId, elementId: timer.elementId });
      }
    }
    if (this.failingStartTimers > 0) return { nextDueInMs: FAILED_PAUSE_MS };
    this.startFailures.recordSuccess();
    if (timers.length === MAX_FIRED_START_TIMERS) return { nextDueInMs: 0 };
    const next = await storage.nextStartTimerAt();
    return { nextDueInMs: next === null ? null : Math.max(0, next - clock.now()) };
  }

  private requireRightClock(): void {
    if (this.parts.clock.offset?.isTooLarge === true)
      throw new ActivityRefusal(
        'The clock of this server differs too much from that of the database, so it fires no timers.',
      );
  }
}

/** Returns the due timers of a run, earliest first. */
function listDueTimers({ state }: CachedRun, now: number): OpenTimer[] {
  return listOpenWork(state)
    .timers.filter(({ dueAt }) => dueAt <= now)
    .sort((one, other) => one.dueAt - other.dueAt);
}
