import { isoTime, type RunWrite } from '@countersign/core/plugin';

const iso = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** Columns of a run's row in a commit, for `json_to_recordset`. `x` is the revision that the command was decided on. */
export const RUN_COLUMNS =
  'r uuid, x bigint, w text, v int, g text, s text, o text, cs text, pa int, pq int, ic int, wf jsonb, rl text, er jsonb, ' +
  'sa timestamptz, sb text, ua timestamptz, ca timestamptz, bk text, pr uuid, rv bigint, st json, eh text, aq int, ah text, ' +
  'fj uuid, fe int, nv boolean';

export const INSERT_RUNS = `
  INSERT INTO runs
    (run_id, workflow_id, workflow_version, workflow_digest, status, outcome, current_step, pending_approvals,
     pending_questions, incidents, waiting_for, risk_level, error, started_at, started_by, updated_at, completed_at,
     business_key, parent_run_id, revision, state, last_event_hash, audit_seq, last_audit_hash)
  SELECT r, w, v, g, s, o, cs, pa, pq, ic, wf, rl, er, sa, sb, ua, ca, bk, pr, rv, st, eh, aq, ah
  FROM candidate c WHERE x = 0
    AND (NOT nv OR NOT EXISTS (SELECT FROM workflow_versions n WHERE n.workflow_id = c.w AND n.version > c.v))
  RETURNING run_id`;

export const UPDATE_RUNS = `
  UPDATE runs AS t SET
    status = c.s, outcome = c.o, current_step = c.cs, pending_approvals = c.pa, pending_questions = c.pq,
    incidents = c.ic, waiting_for = c.wf, risk_level = c.rl, error = c.er, updated_at = c.ua, completed_at = c.ca,
    revision = c.rv, state = c.st, last_event_hash = c.eh, audit_seq = c.aq, last_audit_hash = c.ah
  FROM candidate c
  WHERE t.run_id = c.r AND t.run_id = ANY(ARRAY(SELECT r FROM candidate)) AND t.revision = c.x AND c.x > 0
    AND (c.fj IS NULL OR EXISTS (SELECT FROM fence f WHERE f.job_id = c.fj))
  RETURNING t.run_id`;

/** The row of a run's write; `state` goes in as JSON text that is already there, see {@link runsParameter}. */
function runRow(write: RunWrite): object {
  const { run, next } = write;
  return {
    r: run.runId,
    x: write.expectedRevision,
    w: run.workflowId,
    v: run.workflowVersion,
    g: run.workflowDigest,
    s: run.status,
    o: run.outcome,
    cs: run.currentStep,
    pa: run.pendingApprovals,
    pq: run.pendingQuestions,
    ic: run.incidents,
    wf: run.waitingFor,
    rl: run.riskLevel,
    er: run.error,
    sa: iso(run.startedAt),
    sb: run.startedBy,
    ua: iso(run.updatedAt),
    ca: iso(run.completedAt),
    bk: run.businessKey,
    pr: run.parentRunId,
    rv: next.revision,
    eh: next.lastEventHash,
    aq: next.auditSeq,
    ah: next.lastAuditHash,
    fj: write.fence?.jobId ?? null,
    fe: write.fence?.epoch ?? null,
    nv: write.requireNewestVersion,
  };
}

/** All run rows as one JSON text. The states are JSON texts already and are spliced in rather than parsed again. */
export function runsParameter(writes: readonly RunWrite[]): string {
  const rows = writes.map((write) => `${JSON.stringify(runRow(write)).slice(0, -1)},"st":${write.next.state}}`);
  return `[${rows.join(',')}]`;
}
