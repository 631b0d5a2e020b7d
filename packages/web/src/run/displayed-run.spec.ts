import type { RunState } from '@countersign/contract';
import { expect } from 'chai';
import { createRun, createStep, timeAfterStart } from './run-page.spec.support.js';
import { getDisplayedRun } from './displayed-run.js';

const COMPLETED_RUN = createRun({
  status: 'completed',
  outcome: 'completed',
  completedAt: timeAfterStart(9_000),
  variables: { done: true },
});

function createRunState(overrides: Partial<RunState>): RunState {
  const { runId, workflowId, workflowVersion, workflowDigest, cancelling, error } = COMPLETED_RUN;
  const startedEvent: RunState['event'] = {
    seq: 1,
    at: timeAfterStart(0),
    type: 'run.started',
    version: 1,
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
    event: startedEvent,
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
    ...overrides,
  };
}

describe('getDisplayedRun', () => {
  it('should leave `now` undefined while the run is active and set it to the completion time afterwards', () => {
    expect(getDisplayedRun(createRun(), undefined).now).to.equal(undefined);
    expect(getDisplayedRun(COMPLETED_RUN, undefined)).to.deep.include({
      completedAt: timeAfterStart(9_000),
      now: Date.parse(timeAfterStart(9_000)),
    });
  });

  it('should use the time of the displayed state as the current time, even if the run has ended since', () => {
    const steps = [createStep('work', { status: 'active' })];
    for (const run of [COMPLETED_RUN, createRun()]) {
      expect(getDisplayedRun(run, createRunState({ steps, variables: { half: true } }))).to.deep.include({
        status: 'active',
        outcome: null,
        steps,
        variables: { half: true },
        completedAt: null,
        now: Date.parse(timeAfterStart(4_000)),
      });
    }
  });

  it('should return the outcome and the completion time for the state after the event that completed the run', () => {
    expect(
      getDisplayedRun(
        COMPLETED_RUN,
        createRunState({ time: timeAfterStart(9_000), status: 'completed', outcome: 'completed' }),
      ),
    ).to.deep.include({
      outcome: 'completed',
      completedAt: timeAfterStart(9_000),
      now: Date.parse(timeAfterStart(9_000)),
    });
  });

  it('should return no variables and no waits if the state no longer contains them', () => {
    expect(getDisplayedRun(COMPLETED_RUN, createRunState({ variables: null, waitingFor: null }))).to.deep.include({
      variables: {},
      waitingFor: [],
    });
  });
});
