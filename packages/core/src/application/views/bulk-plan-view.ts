import type { RunRecord } from '../../ports/records.js';
import { runView, type RunView } from './run-view.js';

export type BulkOperation = 'cancel' | 'recover';

/** Reason why a run is excluded: its own refusal, or that another run's cancellation includes it. */
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
const SAMPLE = 20;

/**
 * Builds the plan of a bulk operation.
 *
 * @param chosen the list records of the affected runs
 */
export function bulkRunPlanView(
  operation: BulkOperation,
  chosen: readonly RunRecord[],
  {
    matched,
    truncated,
    excluded,
  }: { matched: number; truncated: boolean; excluded: ReadonlyMap<BulkExclusion, number> },
): BulkRunPlanView {
  const cancelled = operation === 'cancel' ? chosen : [];
  return {
    dryRun: true,
    operation,
    matched,
    affected: chosen.length,
    runIds: chosen.map(({ runId }) => runId),
    truncated,
    excluded: [...excluded].map(([code, count]) => ({ code, count })),
    void: {
      approvals: sum(cancelled, ({ pendingApprovals }) => pendingApprovals),
      questions: sum(cancelled, ({ pendingQuestions }) => pendingQuestions),
      events: sum(
        cancelled,
        ({ waitingFor }) =>
          waitingFor.filter(({ kind, childRunId }) => kind === 'event' && childRunId === undefined).length,
      ),
      timers: sum(cancelled, ({ waitingFor }) => waitingFor.filter(({ kind }) => kind === 'timer').length),
    },
    retry: operation === 'recover' ? sum(chosen, ({ incidents }) => incidents) : 0,
    sample: chosen.slice(0, SAMPLE).map(runView),
  };
}

function sum(runs: readonly RunRecord[], of: (run: RunRecord) => number): number {
  return runs.reduce((total, run) => total + of(run), 0);
}
