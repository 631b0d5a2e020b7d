import type { LoggerPort } from '@countersign/core/plugin';
import type { ClaimedJob, StoragePort } from '@countersign/core/ports';
import { BackgroundLoop, type EngineOptions } from '@countersign/engine';
import type { JobRunner } from './job-runner.js';

/** Claims free jobs, and renews the leases of running jobs. */
export class JobClaimer {
  private readonly claimLoop: BackgroundLoop;
  private readonly renewalLoop: BackgroundLoop;
  private readonly checkLoop: BackgroundLoop;

  constructor(
    private readonly storage: StoragePort,
    private readonly runner: JobRunner,
    log: LoggerPort,
    private readonly owner: string,
    private readonly options: Pick<EngineOptions, 'leaseMs' | 'pollMs'>,
    private readonly startJobs: (jobs: readonly ClaimedJob[]) => Promise<void>,
  ) {
    this.claimLoop = new BackgroundLoop('job claims', log, options.pollMs, () => this.claim());
    this.renewalLoop = new BackgroundLoop('job leases', log, options.leaseMs / 3, () => this.renew());
    this.checkLoop = new BackgroundLoop('job checks', log, options.pollMs, () => this.check());
  }

  start(): void {
    this.claimLoop.start();
    this.renewalLoop.start();
    this.checkLoop.start();
  }

  wake(): void {
    this.claimLoop.wake();
  }

  wakeIn(delayMs: number): void {
    this.claimLoop.wakeIn(delayMs);
  }

  stopClaiming(): Promise<void> {
    return this.claimLoop.stop();
  }

  /**
   * Stops renewing and checking leases. Must be called only after all running jobs have ended or were aborted, because
   * the lease of a running job must not expire.
   */
  async stopRenewing(): Promise<void> {
    await Promise.all([this.renewalLoop.stop(), this.checkLoop.stop()]);
  }

  private async claim(): Promise<number> {
    const { freeCapacity, jobTypes, runsOverShare } = this.runner;
    if (freeCapacity === 0 || jobTypes.length === 0) return this.options.pollMs;
    const limit = Math.min(freeCapacity, 32);
    const { leaseMs } = this.options;
    const request = { owner: this.owner, jobTypes, leaseMs };
    const jobs = [...(await this.storage.claimJobs({ ...request, limit, excludedRunIds: runsOverShare }))];
    if (runsOverShare.length > 0 && jobs.length < limit)
      jobs.push(...(await this.storage.claimJobs({ ...request, limit: limit - jobs.length })));
    if (jobs.length > 0) await this.startJobs(jobs);
    return jobs.length === limit ? 0 : this.options.pollMs;
  }

  /** Aborts jobs that another server has withdrawn, because work for a cancelled step must end soon. */
  private async check(): Promise<number> {
    const activeIds = this.runner.activeIds;
    if (activeIds.length > 0) {
      const leasedIds = new Set(await this.storage.findLeasedJobs(this.owner, activeIds));
      for (const jobId of activeIds)
        if (!leasedIds.has(jobId)) this.runner.abort(jobId, 'the step was cancelled, or the lease was lost');
    }
    return this.options.pollMs;
  }

  private async renew(): Promise<number> {
    const activeIds = this.runner.activeIds;
    if (activeIds.length > 0) {
      const renewedIds = new Set(await this.storage.renewLeases(this.owner, activeIds, this.options.leaseMs));
      for (const jobId of activeIds) if (!renewedIds.has(jobId)) this.runner.abort(jobId, 'the lease was lost');
    }
    return this.options.leaseMs / 3;
  }
}
