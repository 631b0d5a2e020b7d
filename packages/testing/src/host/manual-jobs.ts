import type { Implementation, Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { createJobHandler } from './create-job-handler.js';

/** Job that a test completes or fails. */
export interface HeldJob {
  readonly job: Job;
  complete(output?: JsonObject): void;
  fail(error: Error): void;
}

/** Job handlers whose jobs wait until the test supplies their results. */
export class ManualJobs {
  private readonly heldJobs = new Map<string, HeldJob[]>();
  /** Functions that fail the jobs that are still open. */
  private readonly openJobFailures = new Set<(reason: Error) => void>();
  private readonly takers = new Map<string, ((held: HeldJob) => void)[]>();

  constructor(readonly jobTypes: readonly string[]) {}

  /** Waits for the next job of a type and returns it. */
  take(jobType: string): Promise<HeldJob> {
    if (!this.jobTypes.includes(jobType))
      throw new Error(`This test host does not handle jobs of type "${jobType}". Add the type to \`jobTypes\`.`);
    const held = this.heldJobs.get(jobType)?.shift();
    if (held !== undefined) return Promise.resolve(held);
    return new Promise((resolve) => this.takers.set(jobType, [...(this.takers.get(jobType) ?? []), resolve]));
  }

  /** Waits for the next job of a type and completes it. */
  async complete(jobType: string, output: JsonObject = {}): Promise<Job> {
    const held = await this.take(jobType);
    held.complete(output);
    return held.job;
  }

  /** Fails all open jobs, so that a host that is being stopped does not wait for them. */
  failAll(): void {
    for (const fail of [...this.openJobFailures]) fail(new Error('The test has ended.'));
  }

  /** Returns one handler class for each job type, as the host requires. */
  createHandlers(): Implementation<JobHandlerContribution>[] {
    return this.jobTypes.map((jobType) => createJobHandler(jobType, (job) => this.hold(job)));
  }

  private async hold(job: Job): Promise<JsonObject> {
    // The `abort` event of such a signal was dispatched before, so it would never fail the job.
    if (job.signal.aborted) throw new Error('The job was aborted before it started.');
    return new Promise((resolve, reject) => {
      const fail = (reason: Error): void => {
        this.openJobFailures.delete(fail);
        reject(reason);
      };
      const complete = (output: JsonObject = {}): void => {
        this.openJobFailures.delete(fail);
        resolve(output);
      };
      this.openJobFailures.add(fail);
      const held: HeldJob = { job, complete, fail };
      // A job whose step has ended must not delay the stop of the host.
      job.signal.addEventListener('abort', () => fail(new Error('The job was aborted.')), { once: true });
      const [taker, ...others] = this.takers.get(job.jobType) ?? [];
      this.takers.set(job.jobType, others);
      if (taker === undefined) this.heldJobs.set(job.jobType, [...(this.heldJobs.get(job.jobType) ?? []), held]);
      else taker(held);
    });
  }
}
