import { BpmnError, TerminalFailure } from '@countersign/core/plugin';
import { waitUntil } from '@countersign/model/testing';
import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import {
  boundaryEvent,
  callActivity,
  END,
  endEvent,
  error,
  message,
  sequence,
  START,
  userTask,
  workflow,
} from '../../host/elements.js';
import { CONTEXT, countSteps } from './engine-host.js';

const CAUGHT_FLOWS = ['start > call', 'call > end', 'caught > handled'];

const MODELS = [
  sequence('child', START, serviceTask('work', 'work', 1), END),
  sequence('grandparent', START, callActivity('call', 'parent'), END),
  sequence('parent', START, callActivity('call', 'child'), serviceTask('after', 'other', 1), END),
  workflow(
    'catching',
    START +
      callActivity('call', 'child') +
      boundaryEvent('caught', 'call', error('expected')) +
      END +
      endEvent('handled'),
    ...CAUGHT_FLOWS,
  ),
  workflow(
    'interrupted',
    START +
      callActivity('call', 'child') +
      boundaryEvent('caught', 'call', message('child.stop')) +
      END +
      endEvent('handled'),
    ...CAUGHT_FLOWS,
  ),
  sequence('asking-child', START, userTask('ok'), END),
  sequence('asking', START, callActivity('call', 'asking-child'), END),
];

/** Tests call activities and their child runs. */
export function describeChildRuns(create: CreateTestEngine): void {
  describePart('child runs', create, { models: MODELS }, (getHost) => {
    /** Waits for the child run of a run and returns its id. */
    const waitForChild = (parentRunId: string): Promise<string> =>
      waitUntil('the child run starts', async () => (await getHost().viewer.listRuns({ parentRunId })).items[0]?.runId);

    it('should pass variables to the child run and back', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('parent', { amount: 3 });
      const childRunId = await waitForChild(runId);

      // when
      const { job } = await host.completeJob(childRunId, { total: 6 });

      // then
      expect(job.variables).to.deep.equal({ amount: 3 });
      const after = await host.completeJob(runId, {}, 'other');
      expect(after.job.variables).to.deep.equal({ amount: 3, total: 6 });
      const run = await host.waitForEnd(runId);
      expect(run.steps.find(({ elementId }) => elementId === 'call')).to.include({ calledRunId: childRunId });
      expect(await host.viewer.getRun({ runId: childRunId })).to.include({ outcome: 'completed', parentRunId: runId });
    });

    it('should propagate the error of a child run to the boundary event of its call activity', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('catching');
      const childRunId = await waitForChild(runId);

      // when
      (await host.takeJob(childRunId)).fail(new BpmnError('expected', 'as modelled'));

      // then
      expect(countSteps(await host.waitForEnd(runId))).to.deep.equal({ start: 1, call: 1, caught: 1, handled: 1 });
      expect(await host.waitForEnd(childRunId)).to.include({ outcome: 'failed' });
    });

    it('should continue the parent run after the recovery of its child run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('parent');
      const childRunId = await waitForChild(runId);
      (await host.takeJob(childRunId)).fail(new TerminalFailure('address_unknown', 'There is no such address.'));
      await host.waitForIncident(childRunId);

      // when
      await host.operator.recoverRun({ runId: childRunId });
      await host.completeJob(childRunId);

      // then
      await host.completeJob(runId, {}, 'other');
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });

    it('should cancel the child runs of a cancelled run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('grandparent');
      const childRunId = await waitForChild(runId);
      const grandchildRunId = await waitForChild(childRunId);
      const { job } = await host.takeJob(grandchildRunId);

      // when
      await host.operator.cancelRun({ runId, body: { reason: 'no longer needed' } });

      // then
      for (const each of [runId, childRunId, grandchildRunId])
        expect(await host.waitForEnd(each)).to.include({ outcome: 'cancelled' });
      await waitUntil('the job is aborted', () => job.signal.aborted);
    });

    it('should cancel the child run of an interrupted call activity', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('interrupted', { key: 'child' });
      const childRunId = await waitForChild(runId);
      const { job } = await host.takeJob(childRunId);

      // when
      await host.engine.correlateMessage({
        context: CONTEXT,
        messageName: 'child.stop',
        correlationKey: 'child',
        payload: {},
      });

      // then
      expect(countSteps(await host.waitForEnd(runId))).to.deep.equal({ start: 1, call: 1, caught: 1, handled: 1 });
      expect(await host.waitForEnd(childRunId)).to.include({ outcome: 'cancelled' });
      await waitUntil('the job is aborted', () => job.signal.aborted);
    });

    it('should continue the parent run after an approval in the child run', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('asking');
      const childRunId = await waitForChild(runId);
      const { approvalId } = await host.waitForApproval(childRunId);

      // when
      await host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });

      // then
      expect(await host.waitForEnd(runId)).to.include({ outcome: 'completed' });
    });
  });
}
