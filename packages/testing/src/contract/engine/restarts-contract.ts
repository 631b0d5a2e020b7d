import { currentTime, waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { checkHistories } from './check-histories.js';
import { TIMEOUT_MS } from './describe-part.js';
import { callActivity, catchEvent, END, message, sequence, START, timer, userTask } from '../../host/elements.js';
import { CONTEXT, type EngineHost } from './engine-host.js';
import { Installation } from './installation.js';

const MODELS = [
  sequence('job', START, serviceTask('step', 'work', 3), END),
  sequence('timer', START, catchEvent('pause', timer('timeDuration', 'PT3S')), END),
  sequence('approval', START, userTask('ok'), serviceTask('publish', 'work', 1), END),
  sequence('message', START, catchEvent('wait', message('paid')), END),
  sequence('parent', START, callActivity('call', 'approval'), END),
];

/** Tests that a server continues the runs of a server that was stopped. */
export function describeRestarts(create: CreateTestEngine): void {
  describe('restarts', function () {
    this.timeout(TIMEOUT_MS);
    let installation: Installation | undefined;
    let host: EngineHost;

    before(async () => {
      installation = await Installation.create(create);
      host = await installation.start();
      for (const model of MODELS) await host.host.deploy(model);
    });

    after(() => installation?.dispose());

    /** Stops the host, and starts another one. */
    async function restart(whileStopped: () => Promise<unknown> = async () => undefined): Promise<void> {
      if (installation === undefined) throw new Error('The installation is available only while a test runs.');
      await installation.stop(host);
      await whileStopped();
      host = await installation.start();
    }

    it('should start an open job again, and complete it once', async () => {
      // given
      const runId = await host.startRun('job', { amount: 3 });
      const before = await host.takeJob(runId);

      // when
      await restart();
      const { job } = await host.completeJob(runId, { result: 'second' });

      // then
      expect(before.job.signal.aborted).to.equal(true);
      expect(job).to.deep.include({ jobId: before.job.jobId, variables: { amount: 3 } });
      const { outcome, variables } = await host.waitForEnd(runId);
      expect({ outcome, variables }).to.deep.equal({
        outcome: 'completed',
        variables: { amount: 3, result: 'second' },
      });
      expect(await host.countEvents(runId, 'step.completed', 'step')).to.equal(1);
    });

    it('should fire a timer that was due while no server ran', async () => {
      // given
      const runId = await host.startRun('timer');
      const [wait] = (await host.viewer.getRun({ runId })).waitingFor;
      if (wait?.kind !== 'timer') throw new Error('The run does not wait for a timer.');
      const dueAt = Date.parse(wait.dueAt);
      let stoppedAt = Number.POSITIVE_INFINITY;

      // when
      await restart(() => {
        stoppedAt = currentTime();
        return waitUntil('the timer is due', () => currentTime() > dueAt);
      });

      // then
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
      const fired = (await host.listEvents(runId)).filter(({ type }) => type === 'timer.fired');
      expect(fired).to.have.length(1);
      expect(Date.parse(fired[0]?.at ?? '')).to.be.greaterThan(stoppedAt);
    });

    it('should continue runs with open approvals, messages and child runs', async () => {
      // given
      const [approving, receiving, parent] = [
        await host.startRun('approval'),
        await host.startRun('message', { key: 'A-1' }),
        await host.startRun('parent'),
      ];
      const child = (
        await waitUntil('the child run starts', async () =>
          (await host.viewer.listRuns({ parentRunId: parent })).items.at(0),
        )
      ).runId;
      const approvals = [await host.waitForApproval(approving), await host.waitForApproval(child)];

      // when
      await restart();
      for (const { approvalId } of approvals)
        await host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      const receipt = await host.engine.correlateMessage({
        context: CONTEXT,
        messageName: 'paid',
        correlationKey: 'A-1',
        payload: {},
      });

      // then
      expect(receipt.runIds).to.deep.equal([receiving]);
      for (const runId of [approving, child]) await host.completeJob(runId);
      for (const runId of [approving, receiving, parent, child])
        expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should keep the number of attempts of a failed job', async () => {
      // given
      const runId = await host.startRun('job');
      (await host.takeJob(runId)).fail(new Error('not now'));
      await waitUntil(
        'the failure is recorded',
        async () => (await host.countEvents(runId, 'step.attempt_failed')) === 1,
      );

      // when
      await restart();

      // then
      const { job } = await host.completeJob(runId);
      expect(job.attempt).to.equal(2);
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should leave valid histories without open work', () => checkHistories(host));
  });
}
