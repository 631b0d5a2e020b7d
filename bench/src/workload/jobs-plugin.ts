import { definePlugin, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { JOB_TYPE } from './approval-workflow.js';

/** Handler of the workload's service tasks: does nothing and completes immediately. */
@injectable()
export class WorkHandler implements JobHandlerContribution {
  readonly jobType = JOB_TYPE;

  execute(job: Job): Promise<JsonObject> {
    return Promise.resolve({ [`done_${job.elementId}`]: job.jobId });
  }
}

/** Also loaded by the `countersign` command, for the benchmarks over HTTP. */
export const plugin = definePlugin({
  id: 'bench',
  register({ contribute }) {
    contribute(JobHandlerContribution, WorkHandler);
  },
});
