import type { LoggerPort } from '@countersign/core/plugin';
import type { ClaimedJob, StoragePort } from '@countersign/core/ports';
import type { EngineOptions } from '../engine-options.js';
import type { JobRunner } from './job-runner.js';
import { BackgroundLoop } from '../background-loop.js';

/** Claims free jobs, and renews the leases of running jobs. */
export class JobClaimer {
  private readonly claiming: BackgroundLoop;
  private readonly renewing: BackgroundLoop;
  private readonly checking: BackgroundLoop;

  constructor(
    private readonly storage: StoragePort,
    private readonly runner: JobRunner,
    log: LoggerPort,
    private readonly owner: string,
    private readonly options: Pick<EngineOptions, 'leaseMs' | 'pollMs'>,
    private readonly startJobs: (jobs: readonly ClaimedJob[]) => Promise<void>,
  ) {
    this.claiming = new BackgroundLoop('job claims', log, options.pollMs, () => this.claim());
    this.renewing = new BackgroundLoop('job leases', log, options.leaseMs / 3, () => this.renew());
    this.checking = new BackgroundLoop('job checks', log, options.pollMs, () => this.check());
  }

  start(): void {
    this.claiming.start();
    this.renewing.start();
    this.checking.start();
  }

  wake(): void {
    this.claiming.wake();
  }

  wakeIn(delayMs: number): void {
    this.claiming.wakeIn(delayMs);
  }

  stopClaiming(): Promise<void> {
    return this.claiming.stop();
  }

  /** Stops renewing leases. Call it only when no job is running, because leases must not expire before. */
  async stopRenewing(): Promise<void> {
    await Promise.all([this.renewing.stop(), this.checking.stop()]);
  }

  private async claim(): Promise<number> {
    const { capacity, jobTypes, runsOverShare } = this.runner;
    if (capacity === 0 || jobTypes.length === 0) return this.options.pollMs;
    const limit = Math.min(capacity, 32);
    const { leaseMs } = this.options;
    const request = { owner: this.owner, jobTypes, leaseMs };
    const jobs = [...(await this.storage.claimJobs({ ...request, limit, exceptRuns: runsOverShare }))];
    if (runsOverShare.length > 0 && jobs.length < limit)
      jobs.push(...(await this.storage.claimJobs({ ...request, limit: limit - jobs.length })));
    if (jobs.length > 0) await this.startJobs(jobs);
    return jobs.length === limit ? 0 : this.options.pollMs;
  }

  /** Aborts jobs that another server has withdrawn, because work for a cancelled step must end soon. */
  private async check(): Promise<number> {
    const inFlight = this.runner.activeIds;
    if (inFlight.length > 0) {
      const held = new Set(await this.storage.findLeasedJobs(this.owner, inFlight));
      for (const jobId of inFlight)
        if (!held.has(jobId)) this.runner.abort(jobId, 'the step was cancelled, or the lease was lost');
    }
    return this.options.pollMs;
  }

  private async renew(): Promise<number> {
    const held = this.runner.activeIds;
    if (held.length > 0) {
      const kept = new Set(await this.storage.renewLeases(this.owner, held, this.options.leaseMs));
      for (const jobId of held) if (!kept.has(jobId)) this.runner.abort(jobId, 'the lease was lost');
    }
    return this.options.leaseMs / 3;
  }
}
