import type { RunDetail, RunState } from '@countersign/contract';

/** Run in its current state, or in its state after one of its events. */
export interface RunSnapshot extends RunDetail {
  /**
   * Time that counts as "now" for the run, in ms: the time shown or the end of the run. Left out while the run follows
   * the clock.
   */
  readonly now: number | undefined;
}

/** @param state state at the event that is shown; if left out, the run is shown in its current state */
export function runSnapshot(run: RunDetail, state: RunState | undefined): RunSnapshot {
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
