import type { RunEvent, RunOutcome } from '@countersign/model';

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

export function updateSummary(
  summary: HistorySummary,
  { type, data }: Pick<RunEvent, 'type' | 'data'>,
): HistorySummary {
  const outcome = OUTCOMES[type];
  if (outcome !== undefined) return { ...summary, outcome, cancelling: false };
  switch (type) {
    case 'run.started':
      return {
        ...summary,
        workflowVersion: Number(data['workflowVersion']),
        workflowDigest: String(data['workflowDigest']),
      };
    case 'run.migrated':
      return { ...summary, workflowVersion: Number(data['toVersion']), workflowDigest: String(data['toDigest']) };
    case 'run.cancel_requested':
      return { ...summary, cancelling: true };
    default:
      return summary;
  }
}
