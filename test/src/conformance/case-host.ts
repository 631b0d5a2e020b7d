import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ProblemError,
  type Approval,
  type Client,
  type DeployedWorkflow,
  type FieldError,
  type Run,
  type RunDetail,
} from '@countersign/contract';
import type { JsonObject } from '@countersign/core/plugin';
import { EnginePort, StoragePort } from '@countersign/core/ports';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { createTestHost } from '@countersign/testing';
import { CORRELATION_KEY } from './adapt-model.js';
import { conformanceJobPlugin } from './conformance-job.js';
import { IdleDetector } from './idle-detector.js';
import { TestClock } from './test-clock.js';

/** Number of fired timers after which a case counts as endless. */
const MAX_TIMERS = 200;
/** Maximum number of rounds of one approval with a changing subject. */
const MAX_ROUNDS = 20;
const PAGE_SIZE = 200;

/** Result of the deployment of a BPMN model. */
export interface DeploymentCheck {
  /** Reasons for the refusal, or `undefined` if the model is deployed. */
  readonly problems: readonly FieldError[] | undefined;
  readonly warnings: DeployedWorkflow['warnings'];
}

/** Separate Countersign host for one case, so that data of other cases cannot affect it. */
export class CaseHost {
  private constructor(
    private readonly admin: Client,
    private readonly operator: Client,
    private readonly approver: Client,
    private readonly engine: EnginePort,
    private readonly clock: TestClock,
    private readonly idleDetector: IdleDetector,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<CaseHost> {
    const clock = new TestClock();
    const database = await createMigratedTestDatabase();
    const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-conformance-'));
    const removeAll = async (): Promise<void> => {
      await database.drop();
      await rm(dataDirectory, { recursive: true, force: true });
    };
    try {
      const { host, client, close } = await createTestHost({
        clock,
        plugins: [conformanceJobPlugin],
        shareDataWith: { database, dataDirectory },
      });
      const [admin, operator, approver] = await Promise.all([client('admin'), client('operator'), client('approver')]);
      const engine = host.get<EnginePort>(EnginePort);
      const isWorking = async (): Promise<boolean> => (await engine.status()).workers.some(({ active }) => active > 0);
      const idleDetector = new IdleDetector(host.get<StoragePort>(StoragePort), isWorking, clock);
      return new CaseHost(admin, operator, approver, engine, clock, idleDetector, async () => {
        await close();
        await removeAll();
      });
    } catch (error) {
      await removeAll();
      throw error;
    }
  }

  /** @returns the reasons for the refusal, or `undefined` if the model is deployed */
  async deploy(model: string): Promise<readonly FieldError[] | undefined> {
    return (await this.check(model)).problems;
  }

  /**
   * Deploys a model.
   *
   * @returns the reasons for the refusal, or the warnings of the checks
   */
  async check(model: string): Promise<DeploymentCheck> {
    try {
      return { problems: undefined, warnings: (await this.admin.deployWorkflow({ body: model })).warnings };
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'model_refused')
        return { problems: error.errors ?? [], warnings: [] };
      throw error;
    }
  }

  async startRun(workflowId: string, inputs: JsonObject): Promise<Run> {
    const run = await this.operator.startRun({ body: { workflowId, inputs } });
    await this.idleDetector.waitUntilIdle();
    return run;
  }

  /** Returns all runs with their steps, oldest first. */
  async listRuns(): Promise<readonly RunDetail[]> {
    const { items } = await this.operator.listRuns({ limit: PAGE_SIZE });
    return Promise.all([...items].reverse().map(({ runId }) => this.operator.getRun({ runId })));
  }

  async listPendingApprovals(): Promise<readonly Approval[]> {
    const { items } = await this.approver.listApprovals({ status: 'pending', limit: PAGE_SIZE });
    return [...items].reverse();
  }

  /**
   * Approves the oldest approval at a user task. If the subject changes meanwhile, reloads the new round, as a user
   * would.
   *
   * @returns `false` if no approval is pending at the user task
   */
  async approve(elementId: string): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const oldest = (await this.listPendingApprovals()).find((approval) => approval.elementId === elementId);
      if (oldest === undefined) return false;
      const body = { decision: 'approve', expectedDigest: oldest.digest, round: oldest.round } as const;
      try {
        await this.approver.decideApproval({ approvalId: oldest.approvalId, body });
        return true;
      } catch (error) {
        if (!(error instanceof ProblemError && error.code === 'stale_digest')) throw error;
      } finally {
        await this.idleDetector.waitUntilIdle();
      }
    }
    throw new Error(
      `The subject of the approval at "${elementId}" has changed in ${MAX_ROUNDS} consecutive attempts to approve it.`,
    );
  }

  /** @returns the number of runs that received the message */
  async correlate(messageName: string): Promise<number> {
    const context = {
      actor: { type: 'system', id: 'conformance', name: 'Conformance' },
      from: null,
      traceId: null,
    } as const;
    const { runIds } = await this.engine.correlateMessage({
      context,
      messageName,
      correlationKey: CORRELATION_KEY,
      payload: {},
    });
    await this.idleDetector.waitUntilIdle();
    return runIds.length;
  }

  /** Advances the clock and fires the due timers one by one. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.time + milliseconds;
    await this.fireTimers(end);
    this.clock.setTo(end);
    await this.idleDetector.waitUntilIdle();
  }

  /** Advances the clock until no timer is left. */
  fireAllTimers(): Promise<void> {
    return this.fireTimers(Number.POSITIVE_INFINITY);
  }

  private async fireTimers(end: number): Promise<void> {
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const next = await this.idleDetector.waitUntilIdle();
      if (next === null || next > end) return;
      this.clock.setTo(next);
    }
    throw new Error(`${MAX_TIMERS} timers have fired. The case seems to be endless.`);
  }
}
