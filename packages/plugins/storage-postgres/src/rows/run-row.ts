import type { JsonObject } from '@countersign/core/plugin';
import type { RunRecord } from '@countersign/core/ports';
import type { RiskLevel, RunOutcome, RunStatus } from '@countersign/model';

/** Row of `runs`. */
export interface RunRow {
  readonly run_id: string;
  readonly engine: string;
  readonly workflow_id: string;
  readonly workflow_version: number;
  readonly workflow_digest: string;
  readonly status: RunStatus;
  readonly outcome: RunOutcome | null;
  readonly cancelling: boolean;
  readonly current_step: string | null;
  readonly pending_approvals: number;
  readonly pending_questions: number;
  readonly incidents: number;
  readonly waiting_for: RunRecord['waitingFor'];
  readonly risk_level: RiskLevel;
  readonly error: (RunRecord['error'] & JsonObject) | null;
  readonly started_at: number;
  readonly started_by: string;
  readonly updated_at: number;
  readonly completed_at: number | null;
  readonly business_key: string | null;
  readonly parent_run_id: string | null;
  /** Values to show instead while the run waits for child runs. */
  readonly with_called: Pick<
    RunRecord,
    'status' | 'waitingFor' | 'pendingApprovals' | 'pendingQuestions' | 'error'
  > | null;
}

/**
 * Columns that lists show or that determine whether child runs are shown: all except the root run, the state and the
 * columns that guard commands.
 */
export const RUN_COLUMNS: readonly string[] = Object.freeze([
  'run_id',
  'engine',
  'workflow_id',
  'workflow_version',
  'workflow_digest',
  'status',
  'outcome',
  'cancelling',
  'current_step',
  'pending_approvals',
  'pending_questions',
  'incidents',
  'waiting_for',
  'risk_level',
  'error',
  'started_at',
  'started_by',
  'updated_at',
  'completed_at',
  'business_key',
  'parent_run_id',
  'filed_under',
]);

export function toRun(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    engine: row.engine,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    workflowDigest: row.workflow_digest,
    status: row.status,
    outcome: row.outcome,
    cancelling: row.cancelling,
    currentStep: row.current_step,
    pendingApprovals: row.pending_approvals,
    pendingQuestions: row.pending_questions,
    incidents: row.incidents,
    waitingFor: row.waiting_for,
    riskLevel: row.risk_level,
    error: row.error,
    startedAt: row.started_at,
    startedBy: row.started_by,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    businessKey: row.business_key,
    parentRunId: row.parent_run_id,
  };
}
