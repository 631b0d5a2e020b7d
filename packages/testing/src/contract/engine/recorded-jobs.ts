import { definePlugin, type Job, JobHandlerContribution, type JsonObject, type Plugin } from '@countersign/core/plugin';
import { injectable } from 'inversify';

/** The job type of `createRecordingPlugin`. */
export const RECORDED = 'recorded';

/**
 * Creates a plugin that executes jobs of the type `recorded` immediately: their result is the variable `item`.
 *
 * @param jobIds gets the ids of the executed jobs
 */
export function createRecordingPlugin(jobIds: string[]): Plugin {
  @injectable()
  class RecordedJobs implements JobHandlerContribution {
    readonly jobType = RECORDED;

    async execute({ jobId, variables }: Job): Promise<JsonObject> {
      jobIds.push(jobId);
      return { result: variables['item'] ?? null };
    }
  }

  return definePlugin({
    id: 'recorded-jobs',
    register: ({ contribute }) => contribute(JobHandlerContribution, RecordedJobs),
  });
}
