import type { Client } from '@countersign/contract';
import { definePlugin, EnginePort, type Job, JobHandlerContribution } from '@countersign/core';
import { RetryableFailure } from '@countersign/core/plugin';
import { bpmn, createJobHandler, serviceTask, type TestHost, waitUntil } from '@countersign/testing';
import { randomUUID } from 'node:crypto';
import { waitForApproval, waitForEnd } from '../../http/http.spec.support.js';
import type { ClusterKiller } from '../cluster-killer.spec.support.js';
import type { TemporalServer } from '../temporal-server.spec.support.js';

const {
  START,
  END,
  boundaryEvent,
  callActivity,
  catchEvent,
  message,
  sequence,
  startEvent,
  timer,
  userTask,
  workflow,
} = bpmn;

/** Parts of a scenario that runs once for each kill of the cluster. */
export interface ScenarioEnvironment {
  readonly host: TestHost;
  readonly viewer: Client;
  readonly killer: ClusterKiller;
  readonly jobs: RecordingJobs;
  readonly server: TemporalServer;
  /** Whether the run must not end before the cluster was killed. */
  readonly awaitsKill: boolean;
  /** Makes the next claim of a job fail, as an unreachable database does. */
  failNextClaim(): void;
}

export interface Scenario {
  readonly title: string;
  readonly models: readonly string[];
  /** Steps whose jobs are executed, in the order of their names. */
  readonly executedSteps: readonly string[];
  readonly outcome: 'completed' | 'cancelled';
  /** Methods that our server calls from time to time, with or without runs. The run waits for such a call. */
  readonly periodicMethods?: readonly string[];
  /** Drives a run, and its child runs, until their end, and returns their ids. */
  drive(environment: ScenarioEnvironment): Promise<readonly string[]>;
}

/** Job handlers that record each execution. */
export class RecordingJobs {
  private readonly executions: { readonly runId: string; readonly jobId: string; readonly elementId: string }[] = [];
  /** Functions that complete the held jobs, by their runs. */
  private readonly heldJobs = new Map<string, () => void>();
  private readonly releasedRunIds = new Set<string>();

  readonly plugin = definePlugin({
    id: 'recording-jobs',
    register: ({ contribute }) => {
      contribute(
        JobHandlerContribution,
        createJobHandler('work', async (job) => {
          this.executions.push(job);
          return {};
        }),
      );
      contribute(
        JobHandlerContribution,
        createJobHandler('flaky', async (job) => {
          this.executions.push(job);
          if (job.attempt === 1) throw new RetryableFailure('not_yet', 'The first attempt fails.');
          return {};
        }),
      );
      contribute(
        JobHandlerContribution,
        createJobHandler('held', (job) => this.hold(job)),
      );
    },
  });

  /** Returns the steps of runs whose jobs were executed, in the order of their names. */
  listExecutedSteps(runIds: readonly string[]): string[] {
    return this.executions
      .filter(({ runId }) => runIds.includes(runId))
      .map(({ elementId }) => elementId)
      .sort();
  }

  /** Waits until the job of a run is held. */
  async waitUntilHeld(runId: string): Promise<void> {
    await waitUntil('the job is held', () => this.heldJobs.has(runId), 60);
  }

  /** Completes the job of a run that is held, also if it starts again. */
  release(runId: string): void {
    this.releasedRunIds.add(runId);
    this.heldJobs.get(runId)?.();
  }

  private async hold(job: Job): Promise<Record<string, never>> {
    // While the cluster is down for long, it does not receive the heartbeats of the job, and starts it again. The id of
    // the job is the key of its effect.
    if (!this.executions.some(({ jobId }) => jobId === job.jobId)) this.executions.push(job);
    await new Promise<void>((resolve) => {
      job.signal.addEventListener('abort', () => resolve());
      this.heldJobs.set(job.runId, resolve);
      if (this.releasedRunIds.has(job.runId)) resolve();
    });
    job.signal.throwIfAborted();
    return {};
  }
}

async function start({ viewer }: ScenarioEnvironment, workflowId: string): Promise<string> {
  return (await viewer.startRun({ body: { workflowId } })).runId;
}

/** Waits until the run has ended. */
async function end({ viewer }: ScenarioEnvironment, runId: string): Promise<string[]> {
  await waitForEnd(viewer, runId, 60);
  return [runId];
}

/** Approves, and waits until the run has ended. */
async function vote(environment: ScenarioEnvironment, runId: string, approvalId: string): Promise<string[]> {
  const approver = await environment.host.client('approver', 'ada');
  await approver.decideApproval({ approvalId, body: { decision: 'approve' } });
  return end(environment, runId);
}

const work = (id: string): string => serviceTask(id, 'work');
const held = serviceTask('held', 'held');

export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'jobs and a vote',
    models: [sequence('voted', START, work('draft'), userTask('ok'), work('send'), END)],
    executedSteps: ['draft', 'send'],
    outcome: 'completed',
    drive: async (environment) => {
      const { viewer, server } = environment;
      const runId = await start(environment, 'voted');
      const { approvalId } = await waitForApproval(viewer, runId);
      // Otherwise, the workflow could learn of the vote from the job before it.
      await waitUntil(
        'the cluster has the result of the first job',
        () => server.isWorkflowIdle(runId).catch(() => false),
        60,
      );
      return vote(environment, runId, approvalId);
    },
  },
  {
    title: 'a vote at once after a job',
    models: [sequence('soon', START, work('draft'), userTask('ok'), work('send'), END)],
    executedSteps: ['draft', 'send'],
    outcome: 'completed',
    drive: async (environment) => {
      const runId = await start(environment, 'soon');
      const { approvalId } = await waitForApproval(environment.viewer, runId);
      return vote(environment, runId, approvalId);
    },
  },
  {
    title: 'a timer',
    models: [sequence('paused', START, catchEvent('pause', timer('timeDuration', 'PT0.2S')), work('send'), END)],
    executedSteps: ['send'],
    outcome: 'completed',
    drive: async (environment) => end(environment, await start(environment, 'paused')),
  },
  {
    title: 'a failed attempt',
    models: [sequence('unreliable', START, serviceTask('flaky', 'flaky'), END)],
    executedSteps: ['flaky', 'flaky'],
    outcome: 'completed',
    drive: async (environment) => end(environment, await start(environment, 'unreliable')),
  },
  {
    title: 'a job that could not be claimed',
    models: [sequence('unclaimed', START, work('send'), END)],
    executedSteps: ['send'],
    outcome: 'completed',
    drive: async (environment) => {
      environment.failNextClaim();
      return end(environment, await start(environment, 'unclaimed'));
    },
  },
  {
    title: 'a job with heartbeats',
    models: [sequence('long', START, held, work('send'), END)],
    executedSteps: ['held', 'send'],
    outcome: 'completed',
    periodicMethods: ['ListWorkflowExecutions', 'StartWorkflowExecution'],
    drive: async (environment) => {
      const { killer, jobs, awaitsKill } = environment;
      const runId = await start(environment, 'long');
      await jobs.waitUntilHeld(runId);
      await waitUntil(
        'the job has sent a heartbeat',
        () => (killer.visits.get('after:RecordActivityTaskHeartbeat') ?? 0) > 0,
      );
      if (awaitsKill) await waitUntil('the cluster was killed', () => !killer.isArmed, 60);
      jobs.release(runId);
      return end(environment, runId);
    },
  },
  {
    title: 'a start timer',
    models: [],
    executedSteps: ['send'],
    outcome: 'completed',
    drive: async (environment) => {
      const { host, viewer } = environment;
      const workflowId = `morning-${randomUUID()}`;
      await host.deploy(sequence(workflowId, startEvent('start', timer('timeDuration', 'PT0.1S')), work('send'), END));
      const run = await waitUntil(
        'the start timer has fired',
        async () => (await viewer.listRuns({ workflowId })).items[0],
        60,
      );
      return end(environment, run.runId);
    },
  },
  {
    title: 'the cancellation of a run with a job',
    models: [sequence('cancelled', START, held, END)],
    executedSteps: ['held'],
    outcome: 'cancelled',
    drive: async (environment) => {
      const runId = await start(environment, 'cancelled');
      await environment.jobs.waitUntilHeld(runId);
      const operator = await environment.host.client('operator');
      await operator.cancelRun({ runId, body: { reason: 'no longer needed' } });
      return end(environment, runId);
    },
  },
  {
    title: 'a message that cancels a job',
    models: [
      workflow(
        'interrupted',
        START + held + boundaryEvent('stopped', 'held', message('stop')) + work('send') + END,
        'start > held',
        'held > end',
        'stopped > send',
        'send > end',
      ),
    ],
    executedSteps: ['held', 'send'],
    outcome: 'completed',
    drive: async (environment) => {
      const { host, viewer, jobs } = environment;
      const key = randomUUID();
      const { runId } = await viewer.startRun({ body: { workflowId: 'interrupted', inputs: { key } } });
      await jobs.waitUntilHeld(runId);
      const actor = { type: 'system', id: 'test', name: 'Test' } as const;
      const context = { actor, from: null, traceId: null };
      const engine = host.host.get(EnginePort);
      await engine.correlateMessage({ context, messageName: 'stop', correlationKey: key, payload: {} });
      return end(environment, runId);
    },
  },
  {
    title: 'a child run',
    models: [
      sequence('child', START, work('draft'), END),
      sequence('parent', START, callActivity('call', 'child'), work('send'), END),
    ],
    executedSteps: ['draft', 'send'],
    outcome: 'completed',
    drive: async (environment) => {
      const runId = await start(environment, 'parent');
      await end(environment, runId);
      const { steps } = await environment.viewer.getRun({ runId });
      return [runId, ...steps.flatMap(({ calledRunId }) => (calledRunId === null ? [] : [calledRunId]))];
    },
  },
];
