import { type JsonObject, StoragePort } from '@countersign/core';
import { listOpenWork, type OpenWork, toCachedRun } from '@countersign/engine';
import { type CaseEngine, minTime, type ProbeParts, type WorkProbe } from '../conformance/case-engine.js';
import { getJobKey } from '../conformance/held-jobs.js';
import { requireTemporalEngine } from './temporal-host.spec.support.js';
import type { TemporalServer } from './temporal-server.spec.support.js';

/**
 * Maximum number of jobs of a run that the engine starts at a time. Must agree with `MAX_ANNOUNCED_JOBS` of the engine,
 * which cannot be imported, because its package is not part of every build and exports only its plugin.
 */
const MAX_STARTED_JOBS = 100;
/** Maximum number of runs of a case. */
const MAX_RUNS = 200;

interface OpenRun extends OpenWork {
  readonly runId: string;
  readonly revision: number;
}

/**
 * Executes cases with the Temporal engine. All hosts use one cluster, each with a prefix of its own, so that what one
 * leaves there does not matter to others.
 */
export class TemporalCaseEngine implements CaseEngine {
  private hostCount = 0;

  constructor(private readonly server: TemporalServer) {}

  prepareHost(): ReturnType<CaseEngine['prepareHost']> {
    this.hostCount += 1;
    const prefix = `case-${this.hostCount}`;
    return {
      options: {
        engine: {
          plugin: requireTemporalEngine(),
          configure: () => this.server.configure({ TaskQueuePrefix: prefix }),
        },
      },
      createProbe: (parts) => new TemporalProbe(this.server, prefix, parts),
    };
  }
}

/**
 * Shows what a Temporal engine still has to do by comparing the stored runs with the held jobs. The cluster works
 * without storage calls, so that a host without storage calls need not be idle.
 */
class TemporalProbe implements WorkProbe {
  private readonly storage: Pick<StoragePort, 'countAnnouncements' | 'listRuns' | 'loadRuns' | 'nextStartTimerAt'>;
  /** States whose due timers were announced, by workflow: revisions, and due times of start timers. */
  private readonly announcedStates = new Map<string, number>();

  constructor(
    private readonly server: TemporalServer,
    private readonly prefix: string,
    private readonly parts: ProbeParts,
  ) {
    const storage = parts.host.get<StoragePort>(StoragePort);
    this.storage = {
      countAnnouncements: storage.countAnnouncements.bind(storage),
      listRuns: storage.listRuns.bind(storage),
      loadRuns: storage.loadRuns.bind(storage),
      nextStartTimerAt: storage.nextStartTimerAt.bind(storage),
    };
  }

  async isWorking(): Promise<boolean> {
    // The cluster does not know yet what is open.
    if ((await this.storage.countAnnouncements('temporal')).count > 0) return true;
    const runs = await this.listOpenRuns();
    const held = new Set(this.parts.jobs.keys);
    for (const { jobs } of runs) {
      for (const [index, job] of jobs.entries()) {
        if (job.jobType !== this.parts.jobs.jobType) continue;
        const isHeld = held.delete(getJobKey(job));
        // The clock of the cluster decides when a job that was delayed starts.
        if (!isHeld && job.startsAt === null && index < MAX_STARTED_JOBS) return true;
      }
    }
    // The others were withdrawn, and are about to be aborted.
    return held.size > 0;
  }

  async nextTimerAt(): Promise<number | null> {
    let next = await this.nextStartTimerAt();
    for (const { timers } of await this.listOpenRuns()) for (const { dueAt } of timers) next = minTime(next, dueAt);
    return next;
  }

  /**
   * Notifies the workflows of runs that timers are due. They sleep by the clock of the cluster, which does not follow the
   * test clock. A server whose clock was changed would send the same with its next announcement.
   */
  async announceDueTimers(): Promise<void> {
    const { time } = this.parts.clock;
    const nextStartTimerAt = await this.nextStartTimerAt();
    if (nextStartTimerAt !== null && nextStartTimerAt <= time)
      await this.signalOnce('start-timers', nextStartTimerAt, 'startTimersChanged', []);
    for (const { runId, revision, jobs, timers } of await this.listOpenRuns()) {
      const dueAt = timers.reduce((next, timer) => Math.min(next, timer.dueAt), Infinity);
      if (dueAt > time) continue;
      await this.signalOnce(`run:${runId}`, revision, 'announced', [
        // Must agree with `buildAnnouncement` of the engine, apart from the revision and the time of the next timer.
        {
          // Newer than what the workflow knows, and older than the revision that the timer leads to.
          revision: revision + 0.5,
          hasEnded: false,
          jobs: jobs.slice(0, MAX_STARTED_JOBS).map((job) => ({ ...job })),
          hasAllJobs: jobs.length <= MAX_STARTED_JOBS,
          // Another time than the known one, so that the workflow does not continue to sleep.
          nextTimerAt: dueAt - 1,
          sentAt: time,
        },
      ]);
    }
  }

  /** Sends a signal, unless the workflow has received it for the same state. It may not be running yet. */
  private async signalOnce(name: string, state: number, signal: string, input: readonly JsonObject[]): Promise<void> {
    if (this.announcedStates.get(name) === state) return;
    if (await this.server.signalWorkflow(`${this.prefix}:${name}`, signal, input))
      this.announcedStates.set(name, state);
  }

  /** If timers that start runs do not advance the clock, only those count that are due already. */
  private async nextStartTimerAt(): Promise<number | null> {
    const next = await this.storage.nextStartTimerAt();
    const { timers, clock } = this.parts;
    return timers === 'all timers' || (next !== null && next <= clock.time) ? next : null;
  }

  private async listOpenRuns(): Promise<OpenRun[]> {
    // Newest first. The runs of earlier cases on the host have ended.
    const { items } = await this.storage.listRuns({}, { limit: MAX_RUNS });
    const openRuns = items.filter(({ outcome }) => outcome === null);
    const stored = await this.storage.loadRuns(openRuns.map(({ runId }) => runId));
    return [...stored].map(([runId, run]) => {
      const { state, revision } = toCachedRun(run);
      return { runId, revision, ...listOpenWork(state) };
    });
  }
}
