import type { RunDetail, RunState } from '@countersign/contract';

/** A run as it is shown: as it stands, or as it was behind one of its events. */
export interface ShownRun extends RunDetail {
  /** What "now" is to it, in ms: the moment that is shown, or its end; left out as long as it goes on by the clock. */
  readonly now: number | undefined;
}

/** @param state of the moment that is shown; left out: the run is shown as it stands */
export function shownRun(run: RunDetail, state: RunState | undefined): ShownRun {
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
