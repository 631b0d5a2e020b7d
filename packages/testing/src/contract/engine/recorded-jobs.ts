import { definePlugin, type Job, JobHandlerContribution, type JsonObject, type Plugin } from '@countersign/core/plugin';
import { injectable } from 'inversify';

/** The job type of `createRecordingPlugin`. */
export const RECORDED = 'recorded';

/**
 * Creates a plugin that executes jobs of the type `recorded`: their result is the variable `item`.
 *
 * @param jobIds gets the ids of the jobs when they start
 * @param waitUntilOpen resolves when the jobs that have started may end
 */
export function createRecordingPlugin(jobIds: string[], waitUntilOpen: () => Promise<void>): Plugin {
  @injectable()
  class RecordedJobs implements JobHandlerContribution {
    readonly jobType = RECORDED;

    async execute({ jobId, variables }: Job): Promise<JsonObject> {
      jobIds.push(jobId);
      await waitUntilOpen();
      return { result: variables['item'] ?? null };
    }
  }

  return definePlugin({
    id: 'recorded-jobs',
    register: ({ contribute }) => contribute(JobHandlerContribution, RecordedJobs),
  });
}
