import { isoTime, type RunWrite } from '@countersign/core/plugin';
import { columnLists, type Row, type TextForm } from './commit-part.js';

/**
 * Columns of a run's row in a commit. Behind those of the table: the revision that the command was decided on, the fence
 * of a job's result, and whether the run must be on the newest version.
 */
export const RUN_COLUMNS: Readonly<Record<string, string>> = {
  run_id: 'uuid',
  workflow_id: 'text',
  workflow_version: 'int',
  workflow_digest: 'word',
  status: 'word',
  outcome: 'text',
  cancelling: 'boolean',
  current_step: 'text',
  pending_approvals: 'int',
  pending_questions: 'int',
  incidents: 'int',
  waiting_for: 'jsonb',
  risk_level: 'word',
  error: 'jsonb',
  started_at: 'timestamptz',
  started_by: 'text',
  updated_at: 'timestamptz',
  completed_at: 'timestamptz',
  business_key: 'text',
  parent_run_id: 'uuid',
  root_run_id: 'uuid',
  revision: 'bigint',
  last_event_hash: 'word',
  audit_seq: 'int',
  last_audit_hash: 'word',
  state: 'json text',
  expected: 'bigint',
  fence_job: 'uuid',
  fence_epoch: 'int',
  newest: 'boolean',
};

const TABLE_COLUMNS = Object.keys(RUN_COLUMNS).slice(0, -4).join(', ');

/** @param barred gives the ids of runs that are not written; empty: there are none. */
export const insertRuns = (barred: string): string => `
  INSERT INTO runs (${TABLE_COLUMNS})
  SELECT ${TABLE_COLUMNS} FROM candidate c
  WHERE expected = 0${allowed(barred)}
    AND (NOT newest OR NOT EXISTS (
      SELECT FROM workflow_versions n WHERE n.workflow_id = c.workflow_id AND n.version > c.workflow_version
    ))
  ON CONFLICT (run_id) DO NOTHING
  RETURNING run_id`;

export const updateRuns = (barred: string): string => `
  UPDATE runs AS t SET
    workflow_version = c.workflow_version, workflow_digest = c.workflow_digest, status = c.status, outcome = c.outcome, cancelling = c.cancelling, current_step = c.current_step, pending_approvals = c.pending_approvals,
    pending_questions = c.pending_questions, incidents = c.incidents, waiting_for = c.waiting_for,
    risk_level = c.risk_level, error = c.error, updated_at = c.updated_at, completed_at = c.completed_at,
    revision = c.revision, state = c.state, last_event_hash = c.last_event_hash, audit_seq = c.audit_seq,
    last_audit_hash = c.last_audit_hash
  FROM candidate c
  WHERE t.run_id = c.run_id AND t.run_id = ANY(ARRAY(SELECT run_id FROM candidate))
    AND t.revision = c.expected AND c.expected > 0${allowed(barred)}
    AND (c.fence_job IS NULL OR EXISTS (SELECT FROM fence f WHERE f.job_id = c.fence_job))
  RETURNING t.run_id`;

function allowed(barred: string): string {
  return barred === '' ? '' : ` AND c.run_id NOT IN (${barred})`;
}

function runRow({ run, next, expectedRevision, calledFrom, fence, requireNewestVersion }: RunWrite): Row {
  return {
    run_id: run.runId,
    workflow_id: run.workflowId,
    workflow_version: run.workflowVersion,
    workflow_digest: run.workflowDigest,
    status: run.status,
    outcome: run.outcome,
    cancelling: run.cancelling,
    current_step: run.currentStep,
    pending_approvals: run.pendingApprovals,
    pending_questions: run.pendingQuestions,
    incidents: run.incidents,
    waiting_for: run.waitingFor,
    risk_level: run.riskLevel,
    error: run.error,
    started_at: isoTime(run.startedAt),
    started_by: run.startedBy,
    updated_at: isoTime(run.updatedAt),
    completed_at: run.completedAt === null ? null : isoTime(run.completedAt),
    business_key: run.businessKey,
    parent_run_id: run.parentRunId,
    root_run_id: calledFrom?.rootRunId,
    revision: next.revision,
    last_event_hash: next.lastEventHash,
    audit_seq: next.auditSeq,
    last_audit_hash: next.lastAuditHash,
    state: next.state,
    expected: expectedRevision,
    fence_job: fence?.jobId,
    fence_epoch: fence?.epoch,
    newest: requireNewestVersion,
  };
}

/** The parameters of the run rows, as {@link columnLists} gives them. */
export function runLists(writes: readonly RunWrite[], texts: TextForm): string[] | undefined {
  return columnLists(RUN_COLUMNS, writes.map(runRow), texts);
}
