import type { RunState } from '@countersign/contract';
import { expect } from 'chai';
import { createRun, createStep, timeAfterStart } from './run-page.spec.support.js';
import { getDisplayedRun } from './displayed-run.js';

const OVER = createRun({
  status: 'completed',
  outcome: 'completed',
  completedAt: timeAfterStart(9_000),
  variables: { done: true },
});

function behind(event: Partial<RunState>): RunState {
  const { runId, workflowId, workflowVersion, workflowDigest, cancelling, error } = OVER;
  const started: RunState['event'] = {
    seq: 1,
    at: timeAfterStart(0),
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
    time: timeAfterStart(4_000),
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
    expect(getDisplayedRun(createRun(), undefined).now).to.equal(undefined);
    expect(getDisplayedRun(OVER, undefined)).to.deep.include({
      completedAt: timeAfterStart(9_000),
      now: Date.parse(timeAfterStart(9_000)),
    });
  });

  it('should use the displayed moment as the current time, even if the run has ended since', () => {
    const steps = [createStep('work', { status: 'active' })];
    for (const run of [OVER, createRun()]) {
      expect(getDisplayedRun(run, behind({ steps, variables: { half: true } }))).to.deep.include({
        status: 'active',
        outcome: null,
        steps,
        variables: { half: true },
        completedAt: null,
        now: Date.parse(timeAfterStart(4_000)),
      });
    }
  });

  it('should be completed at the event that completed the run', () => {
    expect(
      getDisplayedRun(OVER, behind({ time: timeAfterStart(9_000), status: 'completed', outcome: 'completed' })),
    ).to.deep.include({
      outcome: 'completed',
      completedAt: timeAfterStart(9_000),
      now: Date.parse(timeAfterStart(9_000)),
    });
  });

  it('should show no variables and no waits if they are no longer known', () => {
    expect(getDisplayedRun(OVER, behind({ variables: null, waitingFor: null }))).to.deep.include({
      variables: {},
      waitingFor: [],
    });
  });
});
