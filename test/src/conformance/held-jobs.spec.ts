import type { Job, JsonObject } from '@countersign/core/plugin';
import { expect } from 'chai';
import { THROW_HEADER } from './adapt-model.js';
import { HeldJobs } from './held-jobs.js';

const FIRST_ID = '01a22b9c-5d3c-7006-80a1-cb65d23e40a3';
const SECOND_ID = '01a22b9c-5d3c-7007-80a1-cb65d23e40a3';

function buildJob(jobId: string, parts: Partial<Job> = {}): Job {
  const signal = new AbortController().signal;
  return { jobId, attempt: 1, elementId: 'task', variables: {}, headers: {}, signal, ...parts } as unknown as Job;
}

describe('HeldJobs', () => {
  let jobs = new HeldJobs('work');
  let outcomes: string[] = [];

  /** Starts a job, as an engine does. */
  function start(job: Job): Promise<void> {
    const handler = new (jobs.createHandlerClass() as new () => { execute(job: Job): Promise<JsonObject> })();
    return handler.execute(job).then(
      (output) => void outcomes.push(`${job.elementId}: ${JSON.stringify(output)}`),
      (error: Error) => void outcomes.push(`${job.elementId}: ${error.name}`),
    );
  }

  beforeEach(() => {
    jobs = new HeldJobs('work');
    outcomes = [];
  });

  it('should complete the job first that was opened first, in any order of starts', async () => {
    // given
    const second = start(buildJob(SECOND_ID, { elementId: 'second' }));
    const first = start(buildJob(FIRST_ID, { elementId: 'first', headers: { [THROW_HEADER]: 'E' } }));

    // when
    expect(jobs.completeOldest()).to.equal(true);
    await first;
    expect(jobs.completeOldest()).to.equal(true);
    await second;

    // then
    expect(jobs.completeOldest()).to.equal(false);
    expect(outcomes).to.deep.equal(['first: BpmnError', 'second: {}']);
  });

  it('should end an attempt that is executed again as before', async () => {
    // given
    const execution = start(buildJob(FIRST_ID));
    jobs.complete('task', undefined, { done: true });
    await execution;

    // when
    await start(buildJob(FIRST_ID));

    // then
    expect(outcomes).to.deep.equal(['task: {"done":true}', 'task: {"done":true}']);
    expect(jobs.count).to.equal(0);
    expect(jobs.takeRepeatedAttempts()).to.deep.equal([`attempt 1 of the job ${FIRST_ID} of "task"`]);
    expect(jobs.takeRepeatedAttempts(), 'after they were taken').to.deep.equal([]);
  });

  it('should report an attempt that is executed while it is still held', () => {
    // given
    void start(buildJob(FIRST_ID));

    // when
    void start(buildJob(FIRST_ID));

    // then
    expect(jobs.takeRepeatedAttempts()).to.have.length(1);
  });

  it('should hold the next attempt, and an attempt that was aborted', async () => {
    // given
    const controller = new AbortController();
    const aborted = start(buildJob(FIRST_ID, { signal: controller.signal }));
    const failed = start(buildJob(SECOND_ID, { elementId: 'second' }));

    // when
    controller.abort();
    jobs.fail('second', undefined);
    await Promise.all([aborted, failed]);
    void start(buildJob(FIRST_ID));
    void start(buildJob(SECOND_ID, { attempt: 2 }));

    // then
    expect([...jobs.keys]).to.deep.equal([`${FIRST_ID}:1`, `${SECOND_ID}:2`]);
    expect(jobs.takeRepeatedAttempts()).to.deep.equal([]);
  });

  it('should fail all jobs when the host is discarded', async () => {
    // given
    const execution = start(buildJob(FIRST_ID));

    // when
    jobs.refuseAll();
    await Promise.all([execution, start(buildJob(SECOND_ID))]);

    // then
    expect(outcomes).to.deep.equal(['task: TerminalFailure', 'task: TerminalFailure']);
  });

  it('should report each change', async () => {
    // given
    let changeCount = 0;
    jobs.onChange(() => (changeCount += 1));

    // when
    const execution = start(buildJob(FIRST_ID));
    jobs.completeOldest();
    await execution;

    // then
    expect(changeCount).to.equal(2);
  });
});
