import type { ClaimedJob } from '@countersign/core/ports';
import type { ToolConstraints } from '@countersign/model';
import type { Queryable } from '../database/transaction.js';

const CLAIMED_COLUMNS =
  'j.job_id, j.run_id, j.step_id, j.element_id, j.job_type, j.attempt, j.tool_constraints, j.call_id, j.epoch';

/** Claims jobs that are free or whose lease has expired, oldest first. Each claim raises the epoch. */
export async function claimJobs(
  database: Queryable,
  request: {
    owner: string;
    jobTypes: readonly string[];
    limit: number;
    leaseMs: number;
    excludedRunIds?: readonly string[];
  },
): Promise<ClaimedJob[]> {
  const { excludedRunIds = [] } = request;
  const { rows } = await database.query({
    name: excludedRunIds.length === 0 ? 'claim_jobs' : 'claim_jobs_of_others',
    text: `
      WITH chosen AS (
        SELECT job_id FROM jobs WHERE job_type = ANY($1::text[]) AND available_at <= now()
          ${excludedRunIds.length === 0 ? '' : 'AND run_id <> ALL ($5::uuid[])'}
        ORDER BY available_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      UPDATE jobs j SET owner = $3, epoch = j.epoch + 1, available_at = now() + make_interval(secs => $4::float8 / 1000)
      FROM chosen WHERE j.job_id = chosen.job_id
      RETURNING ${CLAIMED_COLUMNS}`,
    values: [
      request.jobTypes,
      request.limit,
      request.owner,
      request.leaseMs,
      ...(excludedRunIds.length === 0 ? [] : [excludedRunIds]),
    ],
  });
  return rows.map(toClaimedJob);
}

/** Claims an attempt of a job of an external engine, and raises the epoch of the job. */
export async function takeJob(
  database: Queryable,
  jobId: string,
  attempt: number,
  owner: string,
): Promise<ClaimedJob | undefined> {
  const { rows } = await database.query({
    name: 'take_job',
    text: `UPDATE jobs j SET owner = $3, epoch = epoch + 1
           WHERE job_id = $1 AND attempt = $2 AND available_at = 'infinity'
           RETURNING ${CLAIMED_COLUMNS}`,
    values: [jobId, attempt, owner],
  });
  const [row] = rows;
  return row === undefined ? undefined : toClaimedJob(row);
}

function toClaimedJob(row: Readonly<Record<string, unknown>>): ClaimedJob {
  return {
    jobId: String(row['job_id']),
    runId: String(row['run_id']),
    stepId: String(row['step_id']),
    elementId: String(row['element_id']),
    jobType: String(row['job_type']),
    attempt: Number(row['attempt']),
    toolConstraints: row['tool_constraints'] as ToolConstraints | null,
    ...(typeof row['call_id'] === 'string' ? { callId: row['call_id'] } : {}),
    epoch: Number(row['epoch']),
  };
}

/** Renews the leases that the owner still holds, and returns the ids of their jobs. */
export async function renewLeases(
  database: Queryable,
  owner: string,
  jobIds: readonly string[],
  leaseMs: number,
): Promise<string[]> {
  const { rows } = await database.query({
    name: 'renew_leases',
    text: `UPDATE jobs SET available_at = now() + make_interval(secs => $3::float8 / 1000)
           WHERE owner = $1 AND job_id = ANY($2::uuid[]) RETURNING job_id`,
    values: [owner, jobIds, leaseMs],
  });
  return rows.map((row) => String(row['job_id']));
}

/**
 * Returns the ids of the given jobs whose lease the owner still holds. Withdrawn jobs and jobs that others have claimed
 * are missing.
 */
export async function findLeasedJobs(database: Queryable, owner: string, jobIds: readonly string[]): Promise<string[]> {
  const { rows } = await database.query({
    name: 'held_jobs',
    text: 'SELECT job_id FROM jobs WHERE owner = $1 AND job_id = ANY($2::uuid[])',
    values: [owner, jobIds],
  });
  return rows.map((row) => String(row['job_id']));
}

/**
 * Releases the leases of a process. The epoch stays, so that its late results still count if no other process claims
 * the job.
 */
export async function releaseJobs(database: Queryable, owner: string): Promise<void> {
  await database.query({
    name: 'release_jobs',
    text: 'UPDATE jobs SET owner = NULL, available_at = now() WHERE owner = $1',
    values: [owner],
  });
}

/** Returns the milliseconds until the next job of these types may be claimed; `null` if there is none. */
export async function nextJobDelay(database: Queryable, jobTypes: readonly string[]): Promise<number | null> {
  const { rows } = await database.query({
    name: 'next_job_delay',
    text: `SELECT extract(epoch FROM min(m.at) - now()) * 1000 AS delay
           FROM unnest($1::text[]) AS t(job_type)
           CROSS JOIN LATERAL (SELECT min(available_at) AS at FROM jobs j WHERE j.job_type = t.job_type AND j.available_at < 'infinity') m`,
    values: [jobTypes],
  });
  const delay = rows[0]?.['delay'];
  return delay === null || delay === undefined ? null : Math.max(0, Number(delay));
}

/** Returns the ids of the given jobs that were claimed at least once: each claim raises the epoch. */
export async function findEverClaimedJobs(database: Queryable, jobIds: readonly string[]): Promise<string[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await database.query({
    name: 'begun_jobs',
    text: 'SELECT job_id FROM jobs WHERE job_id = ANY($1::uuid[]) AND epoch > 0',
    values: [jobIds],
  });
  return rows.map((row) => String(row['job_id']));
}
