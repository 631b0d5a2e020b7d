import type { Implementation, Job, JobHandlerContribution, JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';

/** Returns a handler class for a job type, as `contribute` requires, that executes its jobs with a function. */
export function createJobHandler(
  jobType: string,
  execute: (job: Job) => Promise<JsonObject>,
): Implementation<JobHandlerContribution> {
  class JobHandler implements JobHandlerContribution {
    readonly jobType = jobType;
    readonly execute = execute;
  }
  injectable()(JobHandler);
  return JobHandler;
}
