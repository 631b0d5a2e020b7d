import {
  BpmnError,
  definePlugin,
  type Implementation,
  type Job,
  JobHandlerContribution,
  type JsonObject,
  type Plugin,
  RetryableFailure,
  TerminalFailure,
} from '@countersign/core/plugin';
import { injectable } from 'inversify';
import type pg from 'pg';

/**
 * SQL that creates the tables for effects outside the server. The effect of a job is keyed by the id of the job, as the
 * contract of job handlers requires.
 */
export const CREATE_EFFECT_TABLES = `
  SELECT pg_advisory_xact_lock(4711); -- two servers may start concurrently
  CREATE TABLE IF NOT EXISTS effects (job_id uuid PRIMARY KEY, run_id uuid NOT NULL, element_id text NOT NULL, by_process integer NOT NULL);
  CREATE TABLE IF NOT EXISTS attempts (job_id uuid NOT NULL, run_id uuid NOT NULL, element_id text NOT NULL, by_process integer NOT NULL);
  CREATE TABLE IF NOT EXISTS released (by_process integer PRIMARY KEY)`;

type Execute = (job: Job) => Promise<JsonObject>;

/** Creates a plugin with job handlers that record effects in the side table. */
export function createEffectJobsPlugin(effects: pg.Pool): Plugin {
  return definePlugin({
    id: 'effect-jobs',
    register({ contribute }) {
      contribute(
        JobHandlerContribution,
        createHandler('prepare', async (job) => {
          await recordEffect(effects, job);
          if (job.attempt === 1) throw new RetryableFailure('not_yet', 'The first attempt fails.');
          await job.putArtifact('report.txt', `Report of ${job.runId}`, 'text/plain');
          return { prepared: true };
        }),
      );
      contribute(
        JobHandlerContribution,
        createHandler('publish', async (job) => {
          await recordEffect(effects, job);
          return { published: true };
        }),
      );
      contribute(
        JobHandlerContribution,
        createHandler('sell', async (job) => {
          await recordEffect(effects, job);
          throw new BpmnError('sold_out', 'The item is sold out.', { left: 0 });
        }),
      );
      contribute(
        JobHandlerContribution,
        createHandler('finish', async (job) => {
          if (job.variables['mended'] !== true) throw new TerminalFailure('broken', 'An operator must fix it.');
          await recordEffect(effects, job);
          return {};
        }),
      );
      contribute(
        JobHandlerContribution,
        createHandler('hold', async (job) => {
          await recordEffect(effects, job);
          await waitUntilReleased(effects, job.signal);
          await job.putArtifact(`by-${process.pid}.txt`, 'Held', 'text/plain');
          return { by: process.pid };
        }),
      );
    },
  });
}

async function recordEffect(effects: pg.Pool, { jobId, runId, elementId }: Job): Promise<void> {
  const values = [jobId, runId, elementId, process.pid];
  await effects.query('INSERT INTO attempts VALUES ($1, $2, $3, $4)', values);
  await effects.query('INSERT INTO effects VALUES ($1, $2, $3, $4) ON CONFLICT (job_id) DO NOTHING', values);
}

/** Waits until a test releases this process. */
async function waitUntilReleased(effects: pg.Pool, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { rowCount } = await effects.query('SELECT FROM released WHERE by_process = $1', [process.pid]);
    if (rowCount === 1) return;
    // eslint-disable-next-line no-restricted-syntax -- polls in a server, not in a test
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function createHandler(jobType: string, execute: Execute): Implementation<JobHandlerContribution> {
  class EffectJobHandler implements JobHandlerContribution {
    readonly jobType = jobType;

    execute(job: Job): Promise<JsonObject> {
      return execute(job);
    }
  }
  injectable()(EffectJobHandler);
  return EffectJobHandler;
}
