import { definePlugin, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { JOB_TYPE } from './approval-workflow.js';

/** Does the work of the workload's service tasks: nothing, at once. */
@injectable()
export class WorkHandler implements JobHandlerContribution {
  readonly jobType = JOB_TYPE;

  execute(job: Job): Promise<JsonObject> {
    return Promise.resolve({ [`done_${job.elementId}`]: job.jobId });
  }
}

/** Also what the `countersign` command loads for the benchmark over HTTP. */
export const plugin = definePlugin({
  id: 'bench',
  register({ contribute }) {
    contribute(JobHandlerContribution, WorkHandler);
  },
});
