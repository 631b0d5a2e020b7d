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

describe('displayed state of a run', () => {
  it('should follow the clock while the run is active and stop at its end', () => {
    expect(shownRun(aRun(), undefined).now).to.equal(undefined);
    expect(shownRun(OVER, undefined)).to.deep.include({ completedAt: moment(9_000), now: Date.parse(moment(9_000)) });
  });

  it('should use the displayed moment as the current time, even if the run has ended since', () => {
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

  it('should be completed at the event that completed the run', () => {
    expect(shownRun(OVER, behind({ time: moment(9_000), status: 'completed', outcome: 'completed' }))).to.deep.include({
      outcome: 'completed',
      completedAt: moment(9_000),
      now: Date.parse(moment(9_000)),
    });
  });

  it('should show no variables and no waits if they are no longer known', () => {
    expect(shownRun(OVER, behind({ variables: null, waitingFor: null }))).to.deep.include({
      variables: {},
      waitingFor: [],
    });
  });
});
