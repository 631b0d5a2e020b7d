import { setTimeout as delay } from 'node:timers/promises';
import { definePlugin, type Job, JobHandlerContribution, type JsonObject } from '@countersign/core/plugin';
import { injectable } from 'inversify';
import { WorkHandler } from '../workload/jobs-plugin.js';
import { openEngine, type EngineOptions, type EngineUnderTest } from '../workload/engine-under-test.js';
import { runConcurrently } from '../workload/run-concurrently.js';
import { IN_FLIGHT } from '../workload/limits.js';
import { type EngineDriver, RunEvents } from './engine-driver.js';

export interface WaitingRun {
  readonly runId: string;
  readonly approvalId: string;
}

const POLL_MS = 50;

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
  /**
   * Votes on a run, and waits until it is completed.
   *
   * @returns the time until its next job began, in ms
   */
  voteAndComplete(run: WaitingRun): Promise<number>;
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

  return {
    completeRun: async (index) => {
      const runId = await engine.startRun(index);
      const approvalId = await engine.waitForApproval(runId);
      const sentAt = performance.now();
      await engine.approve(approvalId, index);
      const voteAnsweredMs = performance.now() - sentAt;
      const nextJobMs = (await nextJobs.take(runId)) - sentAt;
      await engine.waitForCompletion(runId);
      return { voteAnsweredMs, nextJobMs };
    },
    startWaitingRuns: async (count) => {
      const runs: WaitingRun[] = [];
      await runConcurrently(count, IN_FLIGHT, async (index) => {
        const runId = await engine.startRun(index);
        runs.push({ runId, approvalId: await engine.waitForApproval(runId) });
      });
      return {
        vote: async () => {
          const times: number[] = [];
          for (const [index, { approvalId }] of runs.entries()) {
            const sentAt = performance.now();
            await engine.approve(approvalId, index);
            times.push(performance.now() - sentAt);
          }
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
    voteAndComplete: async ({ runId, approvalId }) => {
      const sentAt = performance.now();
      await engine.approve(approvalId, 0);
      const nextJobMs = (await nextJobs.take(runId)) - sentAt;
      await engine.waitForCompletion(runId);
      return nextJobMs;
    },
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
