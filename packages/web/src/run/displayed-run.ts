import type { RunDetail, RunState } from '@countersign/contract';

/** Run in its current state, or in its state after one of its events. */
export interface DisplayedRun extends RunDetail {
  /**
   * End time for the durations of steps that have not ended, in ms: the time of the past state that is shown, or the
   * end of the run. `undefined` if the run has not ended and is shown in its current state.
   */
  readonly now: number | undefined;
}

/** Returns the run in a past state, or in its current state if `state` is `undefined`. */
export function getDisplayedRun(run: RunDetail, state: RunState | undefined): DisplayedRun {
  if (state === undefined) return { ...run, now: run.completedAt === null ? undefined : Date.parse(run.completedAt) };
  const { status, outcome, cancelling, currentStep, incidents, error, steps } = state;
  return {
    ...run,
    status,
    outcome,
    cancelling,
    currentStep,
    incidents,
    error,
    steps,
    waitingFor: state.waitingFor ?? [],
    variables: state.variables ?? {},
    recoverable: false,
    completedAt: outcome === null ? null : run.completedAt,
    now: Date.parse(state.time),
  };
}
