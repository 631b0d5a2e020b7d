import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { expectProblem } from '../../host/expect-problem.js';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import { END, sequence, START } from '../../host/elements.js';
import { retryInFlight } from './engine-host.js';

/** Tests deployments and the start of runs. */
export function describeStarting(create: CreateTestEngine): void {
  const models = [sequence('job', START, serviceTask('work', 'work', 1), END), sequence('short', START, END)];
  describePart('starts of runs', create, { models }, (getHost) => {
    it('should pass the inputs and the business key to the run and its job', async () => {
      // given
      const host = getHost();
      const inputs = { amount: 8.41, order: { id: 'A-1', lines: [1, null, 'ü'] } };

      // when
      const { runId } = await host.viewer.startRun({ body: { workflowId: 'job', inputs, businessKey: 'order-7' } });
      const { job } = await host.completeJob(runId);

      // then
      expect(job).to.deep.include({ runId, workflowId: 'job', elementId: 'work', jobType: 'work', attempt: 1 });
      expect(job.variables).to.deep.equal(inputs);
      const run = await host.waitForEnd(runId);
      expect(run).to.deep.include({ outcome: 'completed', businessKey: 'order-7', startedBy: 'vera', inputs });
      expect((await host.viewer.listRuns({ businessKey: 'order-7' })).items.map((each) => each.runId)).to.deep.equal([
        runId,
      ]);
    });

    it('should complete a run without waits before it responds', async () => {
      const run = await getHost().viewer.startRun({ body: { workflowId: 'short' } });

      expect(run).to.include({ status: 'completed', outcome: 'completed' });
    });

    it('should start one run for a repeated request with the same idempotency key', async () => {
      // given
      const host = getHost();
      const start = (idempotencyKey: string, inputs = {}) =>
        host.viewer.startRun({ body: { workflowId: 'job', inputs, businessKey: 'repeated' } }, { idempotencyKey });
      const key = randomUUID();

      // when
      const first = await start(key);
      const second = await start(key);

      // then
      expect(second).to.deep.equal(first);
      expect(await expectProblem(start(key, { other: true }))).to.include({ code: 'idempotency_key_reused' });
      const other = await start(randomUUID());
      expect(other.runId).not.to.equal(first.runId);
      for (const { runId } of [first, other]) await host.completeJob(runId);
      expect((await host.viewer.listRuns({ businessKey: 'repeated' })).items).to.have.length(2);
    });

    it('should start one run for concurrent requests with the same idempotency key', async () => {
      // given
      const host = getHost();
      const request = { workflowId: 'job', businessKey: 'concurrent' };
      const idempotencyKey = randomUUID();

      // when
      const runs = await Promise.all(
        Array.from({ length: 5 }, () =>
          retryInFlight(() => host.viewer.startRun({ body: request }, { idempotencyKey })),
        ),
      );

      // then
      const runIds = new Set(runs.map(({ runId }) => runId));
      expect(runIds.size).to.equal(1);
      for (const runId of runIds) await host.completeJob(runId);
      expect((await host.viewer.listRuns({ businessKey: 'concurrent' })).items).to.have.length(1);
    });

    it('should refuse to start an unknown workflow or version', async () => {
      const { viewer } = getHost();

      expect(await expectProblem(viewer.startRun({ body: { workflowId: 'unknown' } }))).to.include({
        code: 'workflow_not_found',
      });
      expect(await expectProblem(viewer.startRun({ body: { workflowId: 'job', version: 9 } }))).to.include({
        code: 'workflow_version_not_found',
      });
    });

    it('should keep a run on the version on which it started', async () => {
      // given
      const host = getHost();
      const { host: testHost } = host;
      await testHost.deploy(sequence('versions', START, serviceTask('one', 'work', 1), END));
      const runId = await host.startRun('versions');

      // when
      await testHost.deploy(sequence('versions', START, serviceTask('two', 'work', 1), END));
      const newRunId = await host.startRun('versions');
      const oldRunId = await host.startRun('versions', {}, 1);

      // then
      for (const [id, elementId] of [
        [runId, 'one'],
        [newRunId, 'two'],
        [oldRunId, 'one'],
      ] as const)
        expect((await host.completeJob(id)).job.elementId).to.equal(elementId);
    });

    it('should refuse a model that it cannot execute, without a new version', async () => {
      // given
      const host = getHost();
      const invalid = sequence('job', START, '<bpmn:globalTask id="unknown" />', END);

      // when
      const problem = await expectProblem(host.admin.deployWorkflow({ body: invalid }));

      // then
      expect(problem).to.include({ status: 422, code: 'model_refused' });
      expect(await host.viewer.getWorkflow({ workflowId: 'job' })).to.include({ version: 1 });
    });
  });
}
