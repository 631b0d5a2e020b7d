import type { RunState } from '@countersign/contract';
import { expect } from 'chai';
import { aRun, aStep, moment } from './run-page.spec.support.js';
import { shownRun } from './shown-run.js';

const OVER = aRun({ status: 'completed', outcome: 'completed', completedAt: moment(9_000), variables: { done: true } });

function behind(event: Partial<RunState>): RunState {
  const { runId, workflowId, workflowVersion, workflowDigest, cancelling, error } = OVER;
  const started: RunState['event'] = {
    seq: 1,
    at: moment(0),
    type: 'run.started',
    stepId: null,
    elementId: null,
    actor: 'vera',
    data: {},
    erased: false,
    hash: '0'.repeat(64),
  };
  return {
    runId,
    workflowId,
    workflowVersion,
    workflowDigest,
    cancelling,
    error,
    at: 1,
    time: moment(4_000),
    lastSeq: 9,
    event: started,
    status: 'active',
    outcome: null,
    currentStep: null,
    incidents: 0,
    waitingFor: [],
    variables: {},
    steps: [],
    tokens: [],
    takenFlows: [],
    gap: null,
    ...event,
  };
}

describe('a run as it is shown', () => {
  it('should go on by the clock as long as it goes on, and no longer', () => {
    expect(shownRun(aRun(), undefined).now).to.equal(undefined);
    expect(shownRun(OVER, undefined)).to.deep.include({ completedAt: moment(9_000), now: Date.parse(moment(9_000)) });
  });

  it('should have the moment that is shown for now, whether it has ended since or not', () => {
    const steps = [aStep('work', { status: 'active' })];
    for (const run of [OVER, aRun()]) {
      expect(shownRun(run, behind({ steps, variables: { half: true } }))).to.deep.include({
        status: 'active',
        outcome: null,
        steps,
        variables: { half: true },
        completedAt: null,
        now: Date.parse(moment(4_000)),
      });
    }
  });

  it('should have ended behind the event that ended it', () => {
    expect(shownRun(OVER, behind({ time: moment(9_000), status: 'completed', outcome: 'completed' }))).to.deep.include({
      outcome: 'completed',
      completedAt: moment(9_000),
      now: Date.parse(moment(9_000)),
    });
  });

  it('should show none where it is not known any more what was', () => {
    expect(shownRun(OVER, behind({ variables: null, waitingFor: null }))).to.deep.include({
      variables: {},
      waitingFor: [],
    });
  });
});
