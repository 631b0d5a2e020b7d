import type { RunDetail, RunState } from '@countersign/contract';

export interface StepDrawerProps {
  /** As it is shown: under time travel with the steps of then. */
  readonly run: RunDetail;
  readonly stepId: string;
  onClose(): void;
}

/** All about one step. Its room is `step-drawer/`: this line becomes an export from there. */
export function StepDrawer(_props: StepDrawerProps) {
  return null;
}

export interface TimeTravelProps {
  readonly run: RunDetail;
  /** The run event behind which the run is shown; left out: as it is now. */
  readonly at: number | undefined;
  /** The run as it was then, once it is there. */
  readonly state: RunState | undefined;
  onAt(at: number | undefined): void;
}

/** The scrubber below the diagram. Its room is `time-travel/`: this line becomes an export from there. */
export function TimeTravel(_props: TimeTravelProps) {
  return null;
}
