import { findVersionChange, type RunEvent, type RunOutcome } from '@countersign/model';

/** Facts about a run as a whole, taken from single events. */
export interface HistorySummary {
  readonly outcome: RunOutcome | null;
  readonly cancelling: boolean;
  readonly workflowVersion: number;
  readonly workflowDigest: string;
}

export const EMPTY_SUMMARY: HistorySummary = Object.freeze({
  outcome: null,
  cancelling: false,
  workflowVersion: 0,
  workflowDigest: '',
});

const OUTCOMES: Readonly<Record<string, RunOutcome>> = Object.freeze({
  'run.completed': 'completed',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
  'run.rejected': 'rejected',
});

export function updateSummary(summary: HistorySummary, event: Pick<RunEvent, 'type' | 'data'>): HistorySummary {
  const outcome = OUTCOMES[event.type];
  if (outcome !== undefined) return { ...summary, outcome, cancelling: false };
  if (event.type === 'run.cancel_requested') return { ...summary, cancelling: true };
  const workflow = findVersionChange(event);
  return workflow === undefined
    ? summary
    : { ...summary, workflowVersion: workflow.version, workflowDigest: workflow.digest };
}
