import type { RunRecord } from '../../ports/records.js';
import { toRunView, type RunView } from './run-view.js';

export type BulkOperation = 'cancel' | 'recover';

/**
 * Reason why a run is excluded: the error code of its refusal, or `cancelled_with_caller` if the cancellation of
 * another run includes it.
 */
export type BulkExclusion =
  'run_not_found' | 'run_already_ended' | 'run_cancelling' | 'run_not_recoverable' | 'cancelled_with_caller';

/** Plan of a bulk operation. */
export type BulkRunPlanView = {
  dryRun: true;
  operation: BulkOperation;
  matched: number;
  affected: number;
  runIds: string[];
  truncated: boolean;
  excluded: { code: BulkExclusion; count: number }[];
  void: { approvals: number; questions: number; events: number; timers: number };
  retry: number;
  sample: RunView[];
};

/** Maximum number of runs that a plan shows. */
const MAX_SAMPLE_RUNS = 20;

/**
 * Builds the plan of a bulk operation.
 *
 * @param selectedRuns the list records of the affected runs
 */
export function toBulkRunPlanView(
  operation: BulkOperation,
  selectedRuns: readonly RunRecord[],
  {
    matched,
    truncated,
    excluded,
  }: { matched: number; truncated: boolean; excluded: ReadonlyMap<BulkExclusion, number> },
): BulkRunPlanView {
  const runsToCancel = operation === 'cancel' ? selectedRuns : [];
  return {
    dryRun: true,
    operation,
    matched,
    affected: selectedRuns.length,
    runIds: selectedRuns.map(({ runId }) => runId),
    truncated,
    excluded: [...excluded].map(([code, count]) => ({ code, count })),
    void: {
      approvals: sumOver(runsToCancel, ({ pendingApprovals }) => pendingApprovals),
      questions: sumOver(runsToCancel, ({ pendingQuestions }) => pendingQuestions),
      events: sumOver(
        runsToCancel,
        ({ waitingFor }) =>
          waitingFor.filter(({ kind, childRunId }) => kind === 'event' && childRunId === undefined).length,
      ),
      timers: sumOver(runsToCancel, ({ waitingFor }) => waitingFor.filter(({ kind }) => kind === 'timer').length),
    },
    retry: operation === 'recover' ? sumOver(selectedRuns, ({ incidents }) => incidents) : 0,
    sample: selectedRuns.slice(0, MAX_SAMPLE_RUNS).map(toRunView),
  };
}

function sumOver(runs: readonly RunRecord[], getCount: (run: RunRecord) => number): number {
  return runs.reduce((total, run) => total + getCount(run), 0);
}
