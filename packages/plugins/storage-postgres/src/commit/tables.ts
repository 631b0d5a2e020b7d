import { isoTime, type RunWrite } from '@countersign/core/plugin';

/** One table's share of a commit: its rows as JSON, and the SQL that takes them. */
export interface CommitPart {
  readonly name: string;
  /** Column names and types as `json_to_recordset` wants them; short names keep the parameter small. */
  readonly columns: string;
  /**
   * Reads from `input`, which holds the rows of runs that may be written (`ok`). Rows of large tables are looked up with
   * `= ANY(ARRAY(…))`, so that a plan made while the table was small still uses the index when it no longer is.
   */
  readonly sql: string;
  rows(write: RunWrite): readonly object[];
}

const iso = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** How long a job that is given out with the commit belongs to its owner. */
export const FIRST_LEASE = "interval '30 seconds'";

/**
 * Everything that goes with a run's row, in one list. A part without rows is left out of the statement.
 * Times are texts, since JSON has no dates; ids are lower-case UUIDs.
 */
export const COMMIT_PARTS: readonly CommitPart[] = Object.freeze([
  {
    name: 'event',
    columns: 'r uuid, s int, a timestamptz, t text, st uuid, e text, d jsonb, p jsonb, sa text, c text, h text',
    sql: `INSERT INTO run_events (run_id, seq, at, type, step_id, element_id, data, private, salt, commitment, hash)
          SELECT r, s, a, t, st, e, d, p, sa, c, h FROM input`,
    rows: (write) =>
      write.events.map((event) => ({
        r: write.run.runId,
        s: event.seq,
        a: iso(event.at),
        t: event.type,
        st: event.stepId,
        e: event.elementId,
        d: event.data,
        p: event.private,
        sa: event.salt,
        c: event.commitment,
        h: event.hash,
      })),
  },
  {
    name: 'audit',
    columns:
      'r uuid, i uuid, s int, a timestamptz, ai text, ac jsonb, n text, t jsonb, re text, f text, d jsonb, sa text, c text, ph text, h text',
    sql: `INSERT INTO audit_events
            (run_id, audit_id, seq, at, actor_id, actor, action, target, result, "from", data, salt, commitment, previous_hash, hash)
          SELECT r, i, s, a, ai, ac, n, t, re, f, d, sa, c, ph, h FROM input`,
    rows: (write) =>
      write.audit.map((entry) => ({
        r: write.run.runId,
        i: entry.auditId,
        s: entry.seq,
        a: iso(entry.at),
        ai: entry.actor?.id ?? null,
        ac: entry.actor,
        n: entry.action,
        t: entry.target,
        re: entry.result,
        f: entry.from,
        d: entry.data,
        sa: entry.salt,
        c: entry.commitment,
        ph: entry.previousHash,
        h: entry.hash,
      })),
  },
  {
    name: 'job_offered',
    columns: 'r uuid, i uuid, st uuid, e text, t text, a int, c jsonb, o text',
    sql: `INSERT INTO jobs (job_id, run_id, step_id, element_id, job_type, attempt, tool_constraints, owner, epoch, available_at)
          SELECT i, r, st, e, t, a, c, o, CASE WHEN o IS NULL THEN 0 ELSE 1 END,
                 CASE WHEN o IS NULL THEN now() ELSE now() + ${FIRST_LEASE} END FROM input`,
    rows: (write) =>
      write.jobsOffered.map((job) => ({
        r: write.run.runId,
        i: job.jobId,
        st: job.stepId,
        e: job.elementId,
        t: job.jobType,
        a: job.attempt,
        c: job.toolConstraints,
        o: job.owner,
      })),
  },
  {
    name: 'job_rescheduled',
    columns: 'r uuid, i uuid, a int, d timestamptz',
    sql: `UPDATE jobs j SET attempt = n.a, owner = NULL, available_at = n.d FROM input n
          WHERE j.job_id = n.i AND j.job_id = ANY(ARRAY(SELECT i FROM input))`,
    rows: (write) =>
      write.jobsRescheduled.map((job) => ({ r: write.run.runId, i: job.jobId, a: job.attempt, d: iso(job.dueAt) })),
  },
  {
    name: 'job_withdrawn',
    columns: 'r uuid, i uuid',
    sql: 'DELETE FROM jobs WHERE job_id = ANY(ARRAY(SELECT i FROM input))',
    rows: (write) => write.jobsWithdrawn.map((jobId) => ({ r: write.run.runId, i: jobId })),
  },
  {
    name: 'subscription_opened',
    columns: 'r uuid, i uuid, w text, st uuid, e text, n text, k text, s timestamptz',
    sql: `INSERT INTO message_subscriptions
            (subscription_id, run_id, workflow_id, step_id, element_id, message_name, correlation_key, since)
          SELECT i, r, w, st, e, n, k, s FROM input`,
    rows: (write) =>
      write.subscriptionsOpened.map((subscription) => ({
        r: write.run.runId,
        i: subscription.subscriptionId,
        w: write.run.workflowId,
        st: subscription.stepId,
        e: subscription.elementId,
        n: subscription.messageName,
        k: subscription.correlationKey,
        s: iso(subscription.since),
      })),
  },
  {
    name: 'subscription_closed',
    columns: 'r uuid, i uuid',
    sql: 'DELETE FROM message_subscriptions WHERE subscription_id = ANY(ARRAY(SELECT i FROM input))',
    rows: (write) => write.subscriptionsClosed.map((id) => ({ r: write.run.runId, i: id })),
  },
  {
    name: 'timer_armed',
    columns: 'r uuid, i uuid, st uuid, d timestamptz',
    sql: 'INSERT INTO timers (timer_id, run_id, step_id, due_at) SELECT i, r, st, d FROM input',
    rows: (write) =>
      write.timersArmed.map((timer) => ({ r: write.run.runId, i: timer.timerId, st: timer.stepId, d: iso(timer.dueAt) })),
  },
  {
    name: 'timer_disarmed',
    columns: 'r uuid, i uuid',
    sql: 'DELETE FROM timers WHERE timer_id = ANY(ARRAY(SELECT i FROM input))',
    rows: (write) => write.timersDisarmed.map((id) => ({ r: write.run.runId, i: id })),
  },
  {
    name: 'approval_opened',
    columns:
      'r uuid, i uuid, w text, v int, st uuid, e text, t text, ds text, s text, n int, p uuid, a timestamptz, b text, ' +
      'du timestamptz, cu jsonb, cg jsonb, dl jsonb, q int, pr int, sod text, x jsonb, rl text, rf jsonb, ra text, su jsonb, dg text',
    sql: `INSERT INTO approvals
            (approval_id, run_id, workflow_id, workflow_version, step_id, element_id, title, description, status, round,
             previous_approval_id, requested_at, requested_by, due_at, candidate_users, candidate_groups, delegations, quorum,
             priority, separation_of_duties, excluded, risk_level, risk_factors, rationale, subject, digest)
          SELECT i, r, w, v, st, e, t, ds, s, n, p, a, b, du, cu, cg, dl, q, pr, sod, x, rl, rf, ra, su, dg FROM input`,
    rows: (write) =>
      write.approvalsOpened.map((approval) => ({
        r: write.run.runId,
        i: approval.approvalId,
        w: approval.workflowId,
        v: approval.workflowVersion,
        st: approval.stepId,
        e: approval.elementId,
        t: approval.title,
        ds: approval.description,
        s: approval.status,
        n: approval.round,
        p: approval.previousApprovalId,
        a: iso(approval.requestedAt),
        b: approval.requestedBy,
        du: iso(approval.dueAt),
        cu: approval.candidateUsers,
        cg: approval.candidateGroups,
        dl: approval.delegations,
        q: approval.quorum,
        pr: approval.priority,
        sod: approval.separationOfDuties,
        x: approval.excluded,
        rl: approval.riskLevel,
        rf: approval.riskFactors,
        ra: approval.rationale,
        su: approval.subject,
        dg: approval.digest,
      })),
  },
  {
    name: 'approval_changed',
    columns: 'r uuid, i uuid, s text, a timestamptz, b jsonb, cu jsonb, cg jsonb, dl jsonb',
    sql: `UPDATE approvals p SET status = n.s, resolved_at = n.a, resolved_by = n.b, candidate_users = n.cu,
            candidate_groups = n.cg, delegations = n.dl FROM input n
          WHERE p.approval_id = n.i AND p.approval_id = ANY(ARRAY(SELECT i FROM input))`,
    rows: (write) =>
      write.approvalsChanged.map((change) => ({
        r: write.run.runId,
        i: change.approvalId,
        s: change.status,
        a: iso(change.resolvedAt),
        b: change.resolvedBy,
        cu: change.candidateUsers,
        cg: change.candidateGroups,
        dl: change.delegations,
      })),
  },
  {
    name: 'vote',
    columns: 'r uuid, i uuid, p uuid, d text, c text, b text, n text, a timestamptz, g text',
    sql: `INSERT INTO votes (vote_id, approval_id, run_id, decision, comment, voted_by, voted_by_name, voted_at, digest)
          SELECT i, p, r, d, c, b, n, a, g FROM input ON CONFLICT (vote_id) DO NOTHING`,
    rows: (write) =>
      write.approvalsChanged.flatMap((change) =>
        change.votes.map((vote) => ({
          r: write.run.runId,
          i: vote.voteId,
          p: change.approvalId,
          d: vote.decision,
          c: vote.comment,
          b: vote.by,
          n: vote.byName,
          a: iso(vote.at),
          g: vote.digest,
        })),
      ),
  },
  {
    name: 'artifact',
    columns: 'r uuid, i uuid, n text, v int, z bigint, h text, t text, a timestamptz, b text',
    sql: `INSERT INTO artifacts (artifact_id, run_id, name, version, size, sha256, content_type, created_at, created_by)
          SELECT i, r, n, v, z, h, t, a, b FROM input`,
    rows: (write) =>
      write.artifacts.map((artifact) => ({
        r: write.run.runId,
        i: artifact.artifactId,
        n: artifact.name,
        v: artifact.version,
        z: artifact.size,
        h: artifact.sha256,
        t: artifact.contentType,
        a: iso(artifact.createdAt),
        b: artifact.createdBy,
      })),
  },
  {
    name: 'answer',
    columns: 'r uuid, sc text, k text, d text, a json',
    sql: 'INSERT INTO idempotency_keys (scope, key, request_digest, response) SELECT sc, k, d, a FROM input',
    rows: (write) =>
      write.answer === null
        ? []
        : [
            {
              r: write.run.runId,
              sc: write.answer.scope,
              k: write.answer.key,
              d: write.answer.requestDigest,
              a: write.answer.response,
            },
          ],
  },
]);
