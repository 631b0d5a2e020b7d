import type { CachedRun } from '@countersign/engine';
import { expect } from 'chai';
import { JobRunner } from './job-runner.js';
import { ActivityRefusal } from './run-activity.js';

const JOB = { runId: 'run-1', jobId: 'job-1', attempt: 1, revision: 1 };

describe('JobRunner', () => {
  it('should claim no job while its server is stopping', async () => {
    // given
    const claimed: string[] = [];
    const wait = { kind: 'job', jobId: JOB.jobId, jobType: 'work', attempt: 1 };
    const run = { revision: 1, state: { completedAt: null, instances: { one: { waits: [wait] } } } };
    const log = () => undefined;
    const jobs = new JobRunner({
      jobs: { executors: new Map(), failures: { fail: async () => undefined, throwError: async () => undefined } },
      storage: { takeJob: async (jobId) => void claimed.push(jobId) },
      runs: { load: async () => run as unknown as CachedRun },
      clock: { now: () => 0 },
      log: { debug: log, info: log, warn: log, error: log },
      owner: 'server-1',
      getWorkflow: () => Promise.reject(new Error('not needed')),
    });
    await jobs.runJob(JOB).catch(() => undefined);
    expect(claimed).to.deep.equal([JOB.jobId]);

    // when
    jobs.abortAll();
    const refusal = await jobs.runJob(JOB).catch((error: unknown) => error);

    // then
    expect(refusal).to.be.instanceOf(ActivityRefusal);
    expect(claimed).to.deep.equal([JOB.jobId]);
  });
});
