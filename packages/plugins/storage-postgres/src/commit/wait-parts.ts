import { isoTime } from '@countersign/model';
import { EMBEDDED_ENGINE } from '@countersign/core/ports';
import { createDeletePart, createInsertPart, type CommitPart } from './commit-part.js';

/** Waits of runs, except message subscriptions: jobs, signal subscriptions and timers. */
export const WAIT_PARTS: readonly CommitPart[] = [
  {
    name: 'new_jobs',
    columns: {
      run_id: 'uuid',
      job_id: 'uuid',
      step_id: 'uuid',
      element_id: 'text',
      job_type: 'text',
      attempt: 'int',
      tool_constraints: 'jsonb',
      call_id: 'uuid',
      owner: 'word',
      lease_ms: 'float8',
      external: 'boolean',
    },
    sql: `INSERT INTO jobs
            (run_id, job_id, step_id, element_id, job_type, attempt, tool_constraints, call_id, owner, epoch, available_at)
          SELECT run_id, job_id, step_id, element_id, job_type, attempt, tool_constraints, call_id, owner,
                 CASE WHEN owner IS NULL THEN 0 ELSE 1 END,
                 CASE WHEN external THEN 'infinity' WHEN owner IS NULL THEN now() ELSE now() + make_interval(secs => lease_ms / 1000) END
          FROM input`,
    rows: ({ run, jobsOffered, leaseMs }) =>
      jobsOffered.map((job) => ({
        run_id: run.runId,
        job_id: job.jobId,
        step_id: job.stepId,
        element_id: job.elementId,
        job_type: job.jobType,
        attempt: job.attempt,
        tool_constraints: job.toolConstraints,
        call_id: job.callId,
        owner: job.owner,
        lease_ms: leaseMs,
        external: run.engine !== EMBEDDED_ENGINE,
      })),
  },
  {
    name: 'later_jobs',
    columns: {
      run_id: 'uuid',
      job_id: 'uuid',
      attempt: 'int',
      due_at: 'timestamptz',
      is_open: 'boolean',
      external: 'boolean',
    },
    sql: `UPDATE jobs j SET attempt = n.attempt, owner = NULL, available_at = CASE WHEN n.external THEN 'infinity' ELSE n.due_at END, epoch = j.epoch + n.is_open::int FROM input n
          WHERE j.job_id = n.job_id AND j.job_id = ANY(ARRAY(SELECT job_id FROM input))`,
    rows: ({ run, jobsRescheduled }) =>
      jobsRescheduled.map(({ jobId, attempt, dueAt, hasUnknownOutcome }) => ({
        run_id: run.runId,
        job_id: jobId,
        attempt,
        due_at: isoTime(dueAt),
        is_open: hasUnknownOutcome,
        external: run.engine !== EMBEDDED_ENGINE,
      })),
  },
  createDeletePart('jobs', 'job_id', (write) => write.jobsWithdrawn),
  {
    name: 'unbegun_jobs',
    columns: { run_id: 'uuid', job_id: 'uuid' },
    sql: 'SELECT job_id FROM input',
    // Locked, so that no worker claims one of the jobs in the meantime: a claim skips locked rows.
    rejectedSql: `SELECT n.run_id FROM input n WHERE n.job_id NOT IN (
               SELECT job_id FROM jobs WHERE job_id = ANY(ARRAY(SELECT job_id FROM input)) AND epoch = 0 FOR UPDATE
             )`,
    rejectedResult: 'conflict',
    rows: ({ run, jobsIfUnclaimed }) => jobsIfUnclaimed.map((jobId) => ({ run_id: run.runId, job_id: jobId })),
  },
  createInsertPart(
    'signal_subscriptions',
    {
      run_id: 'uuid',
      subscription_id: 'uuid',
      step_id: 'uuid',
      element_id: 'text',
      signal_name: 'text',
      since: 'moment',
    },
    ({ run, signalsOpened }) =>
      signalsOpened.map((subscription) => ({
        run_id: run.runId,
        subscription_id: subscription.subscriptionId,
        step_id: subscription.stepId,
        element_id: subscription.elementId,
        signal_name: subscription.signalName,
        since: subscription.since,
      })),
  ),
  createDeletePart('signal_subscriptions', 'subscription_id', (write) => write.signalsClosed),
  createInsertPart(
    'timers',
    { run_id: 'uuid', timer_id: 'uuid', step_id: 'uuid', due_at: 'timestamptz' },
    ({ run, timersArmed }) =>
      timersArmed.map((timer) => ({
        run_id: run.runId,
        timer_id: timer.timerId,
        step_id: timer.stepId,
        // The embedded engine never fires timers of other engines.
        due_at: run.engine === EMBEDDED_ENGINE ? isoTime(timer.dueAt) : 'infinity',
      })),
  ),
  createDeletePart('timers', 'timer_id', (write) => write.timersDisarmed),
];
