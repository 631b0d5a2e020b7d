import { expect } from 'chai';
import { serviceTask } from '../../host/process-model.js';
import type { CreateTestEngine } from '../../host/test-engine.js';
import { describePart } from './describe-part.js';
import { catchEvent, END, sequence, START, timer, userTask } from '../../host/elements.js';

const MODELS = [
  sequence(
    'everything',
    START,
    serviceTask('draft', 'work', 2),
    catchEvent('pause', timer('timeDuration', 'PT0.1S')),
    userTask('ok'),
    END,
  ),
];

/** Tests the states of runs at their past events. */
export function describePastStates(create: CreateTestEngine): void {
  describePart('past states', create, { models: MODELS, capability: 'time_travel' }, (getHost) => {
    it('should compute the state of a run at each of its events', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('everything', { amount: 3 });
      (await host.takeJob(runId)).fail(new Error('not now'));
      await host.completeJob(runId, { draft: 'one' });
      const { approvalId } = await host.waitForApproval(runId);
      const waiting = await host.viewer.getRunState({ runId });
      await host.approver.decideApproval({ approvalId, body: { decision: 'approve' } });
      const run = await host.waitForEnd(runId);

      // when
      const events = await host.listEvents(runId);
      const states = [];
      for (const { seq } of events) states.push(await host.viewer.getRunState({ runId, at: seq }));

      // then
      expect(states.map(({ gap }) => gap).filter((gap) => gap !== null)).to.deep.equal([]);
      expect(states.map(({ event }) => event)).to.deep.equal(events);
      expect(states[0]).to.deep.include({ status: 'active', outcome: null, variables: { amount: 3 } });
      expect(states.at(-1)).to.deep.include({
        outcome: 'completed',
        variables: run.variables,
        steps: run.steps,
        waitingFor: [],
        tokens: [],
      });
      expect(states.find(({ at }) => at === waiting.at)).to.deep.equal({ ...waiting, lastSeq: events.length });
    });

    it('should return the current state of a run that waits', async () => {
      // given
      const host = getHost();
      const runId = await host.startRun('everything');
      const { job } = await host.takeJob(runId);

      // when
      const state = await host.viewer.getRunState({ runId });

      // then
      expect(state.tokens).to.deep.equal([
        { elementId: 'draft', stepId: job.stepId, flowId: null, kind: 'active', count: 1 },
      ]);
      expect(state).to.include({ outcome: null, gap: null });
    });
  });
}
