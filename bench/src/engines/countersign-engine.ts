import { setTimeout as delay } from 'node:timers/promises';
import { definePlugin, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { WorkHandler } from '../workload/jobs-plugin.js';
import { openEngine, type EngineOptions, type EngineUnderTest } from '../workload/engine-under-test.js';
import { runConcurrently } from '../workload/run-concurrently.js';
import { IN_FLIGHT } from '../workload/limits.js';
import { type EngineDriver, RunEvents, type RunTimes } from './engine-driver.js';

const POLL_MS = 50;

/** Run that waits for its approval. */
export interface WaitingRun {
  readonly runId: string;
  readonly approvalId: string;
}

/** Runs that wait for their approval. */
export interface WaitingRuns {
  /**
   * Votes on one run after the other.
   *
   * @returns the times until the votes were answered, in ms
   */
  vote(): Promise<number[]>;
  waitForCompletion(): Promise<void>;
}

/** Countersign in this process, with one of its engines. */
export interface CountersignDriver extends EngineDriver {
  /** Starts runs, and waits until all of them wait for their approval. */
  startWaitingRuns(count: number): Promise<WaitingRuns>;
  /** Waits until so many runs, which another server may have started, wait for their approval. */
  findWaitingRuns(count: number): Promise<readonly WaitingRun[]>;
  /** Votes on a run, and waits until it is completed. */
  voteAndComplete(run: WaitingRun, index: number): Promise<RunTimes>;
}

export async function openCountersign(
  connectionString: string,
  options: Omit<EngineOptions, 'jobs'>,
): Promise<CountersignDriver> {
  const nextJobs = new RunEvents<number>();
  const jobs = createTimedJobsPlugin((job) => {
    if (job.elementId === 'perform') nextJobs.record(job.runId, performance.now());
  });
  const engine: EngineUnderTest = await openEngine(connectionString, { ...options, jobs });

  const startWaitingRun = async (index: number): Promise<WaitingRun> => {
    const runId = await engine.startRun(index);
    return { runId, approvalId: await engine.waitForApproval(runId) };
  };

  const vote = async ({ approvalId }: WaitingRun, index: number) => {
    const sentAt = performance.now();
    await engine.approve(approvalId, index);
    return { sentAt, voteAnsweredMs: performance.now() - sentAt };
  };

  const voteAndComplete = async (run: WaitingRun, index: number): Promise<RunTimes> => {
    const { sentAt, voteAnsweredMs } = await vote(run, index);
    const nextJobMs = (await nextJobs.take(run.runId)) - sentAt;
    await engine.waitForCompletion(run.runId);
    return { voteAnsweredMs, nextJobMs };
  };

  return {
    completeRun: async (index) => voteAndComplete(await startWaitingRun(index), index),
    startWaitingRuns: async (count) => {
      const runs: WaitingRun[] = [];
      await runConcurrently(count, IN_FLIGHT, async (index) => runs.push(await startWaitingRun(index)));
      return {
        vote: async () => {
          const times: number[] = [];
          for (const [index, run] of runs.entries()) times.push((await vote(run, index)).voteAnsweredMs);
          return times;
        },
        waitForCompletion: async () => {
          for (const { runId } of runs) {
            await nextJobs.take(runId);
            await engine.waitForCompletion(runId);
          }
        },
      };
    },
    findWaitingRuns: async (count) => {
      for (;;) {
        const { items } = await engine.storage.listApprovals({ status: 'pending' }, { limit: count });
        if (items.length === count) return items;
        await delay(POLL_MS);
      }
    },
    voteAndComplete,
    close: () => engine.close(),
  };
}

/** @param onStart called when a job begins */
function createTimedJobsPlugin(onStart: (job: Job) => void) {
  @injectable()
  class TimedWorkHandler extends WorkHandler {
    override execute(job: Job): Promise<JsonObject> {
      onStart(job);
      return super.execute(job);
    }
  }
  return definePlugin({
    id: 'timed-bench-jobs',
    register({ contribute }) {
      contribute(JobHandlerContribution, TimedWorkHandler);
    },
  });
}
