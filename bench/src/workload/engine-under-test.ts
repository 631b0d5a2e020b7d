import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import {
  createHost,
  EnginePort,
  type JsonObject,
  type Plugin,
  type RequestContext,
  StoragePort,
} from '@countersign/core';
import type { Actor } from '@countersign/model';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { APPROVAL_WORKFLOW, WORKFLOW_ID } from './approval-workflow.js';
import { benchLog } from './bench-log.js';
import { runConcurrently } from './run-concurrently.js';
import { plugin as jobsPlugin } from './jobs-plugin.js';
import { IN_FLIGHT } from './limits.js';
import { RunWatch } from './run-watch.js';

const STARTER_COUNT = 7;

/** Host in this process, set up like that of the `countersign` command, with the workload deployed. */
export interface EngineUnderTest {
  readonly storage: StoragePort;
  /**
   * Starts one run and resolves when it is durable.
   *
   * @returns its id
   */
  startRun(index: number): Promise<string>;
  /**
   * Waits until a run requests its approval.
   *
   * @returns the id of the approval
   */
  waitForApproval(runId: string): Promise<string>;
  /** Approves, and resolves when the vote is durable. */
  approve(approvalId: string, index: number): Promise<void>;
  /**
   * Waits until a run is completed.
   *
   * @throws {Error} if it has another outcome
   */
  waitForCompletion(runId: string): Promise<void>;
  /**
   * Starts a run and waits for its approval.
   *
   * @returns the run id
   */
  startWaitingRun(index: number): Promise<string>;
  /**
   * Cancels a run.
   *
   * @throws {Error} if the cancellation is refused
   */
  cancelRun(runId: string): Promise<void>;
  /** Starts runs, approves each of them, and waits until they are completed. By default, 32 are in flight. */
  completeRuns(count: number, inFlight?: number): Promise<void>;
  /** Starts runs and leaves them waiting for approval. */
  startWaitingRuns(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Replaces the embedded engine. */
  readonly engine?: Plugin;
  /** Replaces the plugin with the job handler. */
  readonly jobs?: Plugin;
  readonly configuration?: JsonObject;
}

export async function openEngine(
  connectionString: string,
  { engine: enginePlugin = engineEmbeddedPlugin, jobs = jobsPlugin, configuration = {} }: EngineOptions = {},
): Promise<EngineUnderTest> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-host-'));
  const host = createHost({
    plugins: [storagePostgresPlugin, artifactsFilesystemPlugin, policyCedarPlugin, jobs, enginePlugin],
    configuration: {
      defaults: {
        ...configuration,
        Data: { Directory: dataDirectory },
        Storage: { Postgres: { ConnectionString: connectionString } },
      },
    },
    logger: benchLog,
  });
  const storage = host.get(StoragePort);
  const watch = new RunWatch(storage);
  const engine = host.get(EnginePort);
  await host.start();
  await engine.deploy({ bpmnXml: APPROVAL_WORKFLOW, context: createContext('admin', 0) });

  const startRun = async (index: number): Promise<string> => {
    const { response } = await engine.startRun({
      workflowId: WORKFLOW_ID,
      inputs: { amount: index, customer: `customer-${index}` },
      businessKey: `order-${index}`,
      context: createContext(`starter-${index % STARTER_COUNT}`, index),
      respond: ({ run }) => ({ runId: run.runId }),
    });
    return String(response['runId']);
  };

  const approve = async (approvalId: string, index: number): Promise<void> => {
    await engine.decideApproval({
      approvalId,
      decision: 'approve',
      comment: null,
      expectedDigest: null,
      expectedRound: null,
      context: createContext('approver', index),
      respond: ({ approval }) => ({ status: approval?.status ?? null }),
    });
  };

  const waitForCompletion = async (runId: string): Promise<void> => {
    const outcome = await watch.waitForEnd(runId);
    if (outcome !== 'completed') throw new Error(`Run ${runId} ended as "${outcome}".`);
  };

  const completeRun = async (index: number): Promise<void> => {
    const runId = await startRun(index);
    await approve(await watch.waitForApproval(runId), index);
    await waitForCompletion(runId);
  };

  const startWaitingRun = async (index: number): Promise<string> => {
    const runId = await startRun(index);
    await watch.waitForApproval(runId);
    watch.forget(runId);
    return runId;
  };

  return {
    storage,
    startRun,
    waitForApproval: (runId) => watch.waitForApproval(runId),
    approve,
    waitForCompletion,
    startWaitingRun,
    cancelRun: async (runId) => {
      await engine.cancelRun({ runId, reason: null, context: createContext('operator', 0), respond: () => ({}) });
    },
    completeRuns: (count, inFlight = IN_FLIGHT) => runConcurrently(count, inFlight, completeRun),
    startWaitingRuns: (count) =>
      runConcurrently(count, IN_FLIGHT, async (index) => {
        await startWaitingRun(index);
      }),
    close: async () => {
      await host.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

function createContext(id: string, index: number): RequestContext {
  const actor: Actor = { type: 'user', id, name: id, groups: [] };
  return { actor, from: '127.0.0.1', traceId: `bench-${index}` };
}
