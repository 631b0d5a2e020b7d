import type { RunRecord } from '../../ports/records.js';
import { runView, type RunView } from './run-view.js';

export type BulkOperation = 'cancel' | 'recover';

/** Why a run is left out: what it would answer alone, or that another one takes it along. */
export type BulkExclusion =
  'run_not_found' | 'run_already_ended' | 'run_cancelling' | 'run_not_recoverable' | 'cancelled_with_caller';

/** What a bulk operation would do. */
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

/** Runs that a plan shows. */
const SAMPLE = 20;

/** @param chosen the runs that it would be done to, as lists show them */
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
