import { definePlugin, type Job, JobHandlerContribution, type Plugin } from '@countersign/core/plugin';
import { createJobHandler } from '../../host/create-job-handler.js';

/** The job type of {@link RecordedJobs}. */
export const RECORDED = 'recorded';

/** Jobs whose starts are recorded on all servers of a test. The result of a job is its variable `item`. */
export class RecordedJobs {
  #starts: Job[] = [];
  #gate: Promise<void> | undefined;

  /** The number of jobs that have started at least once. */
  get startedCount(): number {
    return new Set(this.#starts.map(({ jobId }) => jobId)).size;
  }

  /** Forgets the earlier starts. */
  reset(): void {
    this.#starts = [];
  }

  /**
   * Lets no job end until the returned function is called.
   *
   * @returns a function that lets the jobs end
   */
  hold(): () => void {
    let open = (): void => undefined;
    this.#gate = new Promise((resolve) => (open = resolve));
    return () => {
      this.#gate = undefined;
      open();
    };
  }

  /** Returns the jobs that were started again while their first execution still holds the claim. */
  listConcurrentStarts(): string[] {
    const claimed = this.#starts.filter(({ signal }) => !signal.aborted).map(({ jobId }) => jobId);
    return claimed.filter((jobId, index) => claimed.indexOf(jobId) !== index);
  }

  createPlugin(): Plugin {
    const handler = createJobHandler(RECORDED, async (job) => {
      this.#starts.push(job);
      await this.#gate;
      return { result: job.variables['item'] ?? null };
    });
    return definePlugin({
      id: 'recorded-jobs',
      register: ({ contribute }) => contribute(JobHandlerContribution, handler),
    });
  }
}
