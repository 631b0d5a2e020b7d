import { ApiError, BpmnError, type Job, type JsonObject } from '@countersign/core/plugin';
import type { ClaimedJob } from '@countersign/core/ports';
import type { RunState } from '@countersign/model';
import { expect } from 'chai';
import {
  type CompiledVersion,
  createHandlerExecutors,
  type HandlerResults,
  type JobFailure,
  type JobFailureReporter,
} from '@countersign/engine';
import { JobRunner } from './job-runner.js';

const JOB: ClaimedJob = {
  jobId: 'job',
  runId: 'run',
  stepId: 'step',
  elementId: 'work',
  jobType: 'type',
  attempt: 1,
  toolConstraints: null,
  epoch: 1,
};
const STATE = {
  instances: { root: { key: 'root', stepId: 'step', elementId: 'work', parent: null, variables: {} } },
} as unknown as RunState;
const WORKFLOW = {
  graph: { nodes: new Map([['work', { kind: 'jobTask', headers: {}, inputs: [] }]]) },
} as unknown as CompiledVersion;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const unexpected = (): never => expect.fail('unexpected job report');
const NO_RESULTS = { complete: unexpected, fail: unexpected, throwError: unexpected, putArtifact: unexpected };

const createRunner = (execute: (job: Job) => Promise<JsonObject>, results: HandlerResults & JobFailureReporter) =>
  new JobRunner(
    {
      executors: createHandlerExecutors([{ jobType: 'type', execute }], results, { assertUnchanged: () => undefined }),
      failures: results,
    },
    silent,
    10,
  );

describe('JobRunner', () => {
  it('should continue a job that the same process claims again, and submit the result under the new lease', async () => {
    // given
    let finish: (output: JsonObject) => void = () => undefined;
    let executions = 0;
    const execute = (): Promise<JsonObject> => {
      executions += 1;
      return new Promise((resolve) => (finish = resolve));
    };
    const completedJob = new Promise<ClaimedJob>((resolve) => {
      const unexpected = (): never => expect.fail('the job did not fail');
      const results = {
        complete: async (job: ClaimedJob) => resolve(job),
        fail: unexpected,
        throwError: unexpected,
        putArtifact: unexpected,
      };
      const runner = createRunner(execute, results);
      runner.start(JOB, STATE, WORKFLOW);

      // when
      runner.start({ ...JOB, epoch: 2 }, STATE, WORKFLOW);
      finish({});
    });

    // then
    expect(await completedJob).to.include({ jobId: 'job', epoch: 2 });
    expect(executions).to.equal(1);
  });

  it('should pass the mapped inputs separately from all variables that are visible to the step', async () => {
    const variables = { mapped: { deep: 1 }, loopCounter: 2 };
    const instances = {
      root: {
        key: 'root',
        stepId: 'other',
        elementId: 'process',
        parent: null,
        variables: { mapped: 'outer', seen: 3 },
      },
      work: { key: 'work', stepId: 'step', elementId: 'work', parent: 'root', variables },
    };
    const node = { kind: 'jobTask', headers: {}, inputs: [{ target: ['mapped', 'deep'] }] };
    const receivedJob = await new Promise<Job>((resolve) => {
      const execute = (job: Job): Promise<JsonObject> => {
        resolve(job);
        return Promise.resolve({});
      };
      const none = (): Promise<never> => Promise.reject(new Error('unexpected'));
      createRunner(execute, { complete: async () => undefined, fail: none, throwError: none, putArtifact: none }).start(
        JOB,
        { instances } as unknown as RunState,
        { graph: { nodes: new Map([['work', node]]) } } as unknown as CompiledVersion,
      );
    });

    expect(receivedJob.inputs).to.deep.equal({ mapped: { deep: 1 } });
    expect(receivedJob.variables).to.deep.equal({ mapped: { deep: 1 }, loopCounter: 2, seen: 3 });
  });

  it('should pass a copy of the variables to the handler', async () => {
    const variables = { amount: 1, approval: { decision: 'reject' } };
    const state = {
      instances: { root: { key: 'root', stepId: 'step', elementId: 'work', parent: null, variables } },
    } as unknown as RunState;
    await new Promise<void>((resolve) => {
      const execute = async (job: { readonly variables: JsonObject }): Promise<JsonObject> => {
        (job.variables['approval'] as JsonObject)['decision'] = 'approve';
        return {};
      };
      const results = {
        complete: async () => resolve(),
        fail: async () => expect.fail('the job did not fail'),
        throwError: async () => expect.fail('no error was thrown'),
        putArtifact: () => expect.fail('no artifact'),
      };
      createRunner(execute, results).start(JOB, state, WORKFLOW);
    });
    expect(variables.approval.decision).to.equal('reject');
  });

  const captureErrorReport = (thrown: Error): Promise<unknown> =>
    new Promise((resolve) => {
      const results = {
        complete: () => expect.fail('the job did not complete'),
        fail: async (_job: ClaimedJob, failure: object) => resolve({ failure }),
        throwError: async (_job: ClaimedJob, error: object) => resolve({ error }),
        putArtifact: () => expect.fail('no artifact'),
      };
      createRunner(() => Promise.reject(thrown), results).start(JOB, STATE, WORKFLOW);
    });

  it('should submit a BPMN error with its variables', async () => {
    expect(await captureErrorReport(new BpmnError('sold_out', 'No tickets are left.', { left: 0 }))).to.deep.equal({
      error: { errorCode: 'sold_out', message: 'No tickets are left.', variables: { left: 0 } },
    });
    expect(await captureErrorReport(new BpmnError('sold_out'))).to.deep.equal({
      error: { errorCode: 'sold_out', message: '', variables: {} },
    });
  });

  it('should fail a job permanently if its BPMN error cannot be stored', async () => {
    for (const error of [
      new BpmnError(''),
      new BpmnError('a\0'),
      new BpmnError('x'.repeat(201)),
      new BpmnError('code', '', { a: Number.NaN }),
    ]) {
      expect(await captureErrorReport(error))
        .to.have.property('failure')
        .that.includes({ code: 'job_result_invalid', retryable: false });
    }
  });

  it('should reserve at most half of the capacity for one run', () => {
    // given
    const runner = createRunner(async () => ({}), NO_RESULTS);
    const reserveFor = (runId: string): boolean => runner.reserve('type', runId);

    // then
    expect(Array.from({ length: 6 }, () => reserveFor('large'))).to.deep.equal([true, true, true, true, true, false]);
    expect([reserveFor('small'), runner.runsOverShare, runner.freeCapacity]).to.deep.equal([true, ['large'], 4]);
    for (let count = 0; count < 3; count += 1) runner.releaseReservation('large');
    expect([runner.runsOverShare, reserveFor('large')]).to.deep.equal([[], true]);
    expect(runner.reserve('unserved', 'small')).to.equal(false);
  });

  it('should fail a job permanently if its result cannot be stored', async () => {
    // given
    const refusal = new ApiError('command_not_storable', 'The result contains half of a surrogate pair.');
    const failure = new Promise<JobFailure>((resolve) => {
      const results = {
        ...NO_RESULTS,
        complete: () => Promise.reject(refusal),
        fail: async (_job: ClaimedJob, failed: JobFailure) => resolve(failed),
      };

      // when
      createRunner(async () => ({}), results).start(JOB, STATE, WORKFLOW);
    });

    // then
    expect(await failure).to.deep.equal({
      code: 'command_not_storable',
      message: 'The result contains half of a surrogate pair.',
      retryable: false,
    });
  });

  it('should keep a job active until the server stops if its failure cannot be stored', async () => {
    // given
    let attemptCount = 0;
    let resolveSecondAttempt = (): void => undefined;
    const secondAttempt = new Promise<void>((resolve) => (resolveSecondAttempt = resolve));
    const refuse = (): Promise<never> => {
      attemptCount += 1;
      if (attemptCount === 2) resolveSecondAttempt();
      return Promise.reject(new ApiError('command_not_storable', 'Nothing can be stored.'));
    };
    const runner = createRunner(async () => ({}), { ...NO_RESULTS, complete: refuse, fail: refuse });

    // when
    runner.start(JOB, STATE, WORKFLOW);
    await secondAttempt;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));

    // then
    expect(runner.activeIds).to.deep.equal(['job']);
    runner.abort('job', 'the server stops');
    await runner.stop(10_000);
    expect([runner.activeIds, attemptCount]).to.deep.equal([[], 2]);
  });
});
