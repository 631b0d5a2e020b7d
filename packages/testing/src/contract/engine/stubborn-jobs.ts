import { definePlugin, JobHandlerContribution, type JsonObject, type Plugin } from '@countersign/core/plugin';
import { createJobHandler } from '../../host/create-job-handler.js';

/** The job type of {@link StubbornJobs}. */
export const STUBBORN = 'stubborn';

/** Jobs that ignore that they are aborted: each runs until the test releases it, and then submits a result. */
export class StubbornJobs {
  readonly #releases = new Map<string, (output: JsonObject) => void>();

  /** Returns whether a job of the run has started and was not released. */
  isRunning(runId: string): boolean {
    return this.#releases.has(runId);
  }

  /** Lets the job of a run submit its result. */
  release(runId: string, output: JsonObject): void {
    this.#releases.get(runId)?.(output);
    this.#releases.delete(runId);
  }

  createPlugin(): Plugin {
    const handler = createJobHandler(
      STUBBORN,
      ({ runId }) => new Promise((resolve) => this.#releases.set(runId, resolve)),
    );
    return definePlugin({
      id: 'stubborn-jobs',
      register: ({ contribute }) => contribute(JobHandlerContribution, handler),
    });
  }
}
