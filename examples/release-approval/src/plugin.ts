import { definePlugin, JobHandlerContribution } from '@countersign/core/plugin';
import { ReleaseApprovalConfig, ReleaseApprovalConfigSchema, toConfig } from './config.js';
import { AssessJob } from './jobs/assess-job.js';
import { CollectJob } from './jobs/collect-job.js';
import { DraftJob } from './jobs/draft-job.js';
import { PublishJob } from './jobs/publish-job.js';

/** Plugin with the handlers for the job types of `workflows/release-approval.bpmn`. */
export const releaseApprovalPlugin = definePlugin({
  id: 'release-approval',
  config: ReleaseApprovalConfigSchema,
  register({ config, contribute, provide }) {
    provide(ReleaseApprovalConfig, toConfig(config));
    contribute(JobHandlerContribution, CollectJob);
    contribute(JobHandlerContribution, AssessJob);
    contribute(JobHandlerContribution, DraftJob);
    contribute(JobHandlerContribution, PublishJob);
  },
});

export { releaseApprovalPlugin as plugin };
