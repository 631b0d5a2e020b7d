import { setTimeout as pause } from 'node:timers/promises';
import { FailureLog, type ClockPort, type LoggerPort } from '@countersign/core/plugin';
import type { Announcement, StoragePort } from '@countersign/core/ports';
import { BackgroundLoop, type CachedRun, toCachedRun } from '@countersign/engine';
import { buildAnnouncement } from './build-announcement.js';
import { isClusterFailure } from './cluster-errors.js';
import type { Cluster } from './cluster.js';
import type { RunAnnouncement } from './workflows/run-announcement.js';

/** Interval of looking for announcements that no server has made, in ms. */
const POLL_MS = 1_000;
/** Time in which a server makes the announcements that it has claimed, in ms. */
const LEASE_MS = 10_000;
/** The same while the cluster is unreachable, in ms. Other servers may reach it. */
const PROBE_LEASE_MS = 1_000;
const MAX_CLAIMED = 100;
/** Maximum number of runs whose announcements show in turn whether the cluster has returned. */
const MAX_PROBED = 10;
/** Maximum number of announcements in progress. */
const MAX_CONCURRENT = 64;
/**
 * Maximum number of runs that wait for their announcement, and of accepted announcements that are not deleted yet. The
 * loop makes those of other runs, or repeats them.
 */
const MAX_WAITING = 10_000;
/** Time in which accepted announcements are collected before they are deleted together, in ms. */
const DELETION_DELAY_MS = 100;

/**
 * Announces committed commands to the cluster. Commands of this server are announced at once; a loop announces those
 * that remain in the storage: of other servers, of servers that died, and those that the cluster did not accept.
 */
export class Announcer {
  /** Whether the cluster did not accept the last announcement. */
  isFailing = false;
  private readonly loop: BackgroundLoop;
  /** Newest announcements of runs, not begun yet. */
  private readonly waitingRuns = new Map<string, RunAnnouncement>();
  private readonly activeRuns = new Set<string>();
  private acceptedAnnouncements: Announcement[] = [];
  /** Deletes the accepted announcements soon. Never rejects. */
  private deletion: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  /** Claimed runs whose announcement the cluster did not accept. */
  private unacceptedRunIds: readonly string[] = [];
  private idleResolvers: (() => void)[] = [];
  private readonly failures: FailureLog;

  constructor(
    private readonly engine: string,
    private readonly cluster: Pick<Cluster, 'announce' | 'address'>,
    private readonly storage: Pick<StoragePort, 'claimAnnouncements' | 'deleteAnnouncements' | 'loadRuns'>,
    private readonly clock: ClockPort,
    log: LoggerPort,
  ) {
    this.loop = new BackgroundLoop('announcements', log, POLL_MS, () => this.announceStored());
    this.failures = new FailureLog(log, 'the Temporal cluster did not accept an announcement; it will be repeated', {
      address: cluster.address,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Begins no more announcements, and waits for those in progress. Other servers make the rest. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.waitingRuns.clear();
    await this.loop.stop();
    if (this.activeRuns.size > 0) await new Promise<void>((resolve) => this.idleResolvers.push(resolve));
    while (this.deletion !== undefined) await this.deletion;
  }

  /** Announces a revision of a run. Never throws: an announcement that fails is repeated by the loop. */
  announce(runId: string, run: CachedRun): void {
    // While the cluster is unreachable, only the loop tries.
    if (this.isFailing || this.stopping.signal.aborted || this.waitingRuns.size >= MAX_WAITING) return;
    this.waitingRuns.set(runId, buildAnnouncement(run, this.clock.now()));
    this.startNext();
  }

  private startNext(): void {
    for (const [runId, announcement] of this.waitingRuns) {
      if (this.activeRuns.size >= MAX_CONCURRENT) return;
      if (this.activeRuns.has(runId)) continue;
      this.waitingRuns.delete(runId);
      this.activeRuns.add(runId);
      void this.send(runId, announcement)
        // The loop repeats it.
        .catch(() => undefined)
        .finally(() => {
          this.activeRuns.delete(runId);
          this.startNext();
          if (this.activeRuns.size > 0) return;
          for (const resolve of this.idleResolvers.splice(0)) resolve();
        });
    }
  }

  private async send(runId: string, announcement: RunAnnouncement): Promise<void> {
    try {
      await this.cluster.announce(runId, announcement);
    } catch (error) {
      this.isFailing = isClusterFailure(error);
      // The loop makes these announcements later, with newer revisions.
      if (this.isFailing) this.waitingRuns.clear();
      this.failures.recordFailure(error, { runId });
      throw error;
    }
    this.isFailing = false;
    this.failures.recordSuccess();
    if (this.acceptedAnnouncements.length < MAX_WAITING)
      this.acceptedAnnouncements.push({ runId, revision: announcement.revision });
    this.deleteSoon();
  }

  private deleteSoon(): void {
    this.deletion ??= this.deleteAccepted().finally(() => {
      this.deletion = undefined;
      if (this.acceptedAnnouncements.length > 0) this.deleteSoon();
    });
  }

  /** Deletes accepted announcements. One that is not deleted is made again, which is harmless. */
  private async deleteAccepted(): Promise<void> {
    await pause(DELETION_DELAY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    const accepted = this.acceptedAnnouncements;
    this.acceptedAnnouncements = [];
    await this.storage.deleteAnnouncements(accepted).catch(() => undefined);
  }

  /**
   * Announces runs as they are stored.
   *
   * @returns the runs whose announcement the cluster did not accept
   */
  private async announceRuns(runIds: readonly string[]): Promise<string[]> {
    const runs = await this.storage.loadRuns(runIds);
    const unknownRunIds = runIds.filter((runId) => !runs.has(runId));
    if (unknownRunIds.length > 0)
      await this.storage.deleteAnnouncements(
        unknownRunIds.map((runId) => ({ runId, revision: Number.MAX_SAFE_INTEGER })),
      );
    const unaccepted: string[] = [];
    await Promise.all(
      [...runs]
        .filter(([, { engine }]) => engine === this.engine)
        .map(([runId, stored]) =>
          this.send(runId, buildAnnouncement(toCachedRun(stored), this.clock.now())).catch(() =>
            unaccepted.push(runId),
          ),
        ),
    );
    return unaccepted;
  }

  private async announceStored(): Promise<number> {
    // While the cluster is unreachable, one announcement shows whether it has returned. Each time it is another one,
    // because the fault may concern only one workflow.
    const isProbe = this.isFailing;
    const candidates = [...this.unacceptedRunIds];
    if (!isProbe || candidates.length < MAX_PROBED) {
      const claimed = await this.storage.claimAnnouncements({
        engine: this.engine,
        limit: isProbe ? 1 : MAX_CLAIMED,
        leaseMs: isProbe ? PROBE_LEASE_MS : LEASE_MS,
      });
      candidates.push(...claimed.map(({ runId }) => runId));
    }
    const attempted = isProbe ? candidates.slice(0, 1) : candidates;
    const unaccepted = await this.announceRuns(attempted);
    this.unacceptedRunIds = [...candidates.slice(attempted.length), ...unaccepted];
    return attempted.length > 0 && unaccepted.length === 0 ? 0 : POLL_MS;
  }
}
