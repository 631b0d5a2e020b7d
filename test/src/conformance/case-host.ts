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
import { CONFORMANCE_JOB, CORRELATION_KEY } from './adapt-model.js';
import { approveOldest } from './approve-oldest.js';
import { CASE_CONTEXT } from './case-context.js';
import type { CaseEngine } from './case-engine.js';
import { readHistories, type RunHistory } from './run-histories.js';
import { type CaseServer, startCaseServer } from './case-server.js';

/** Number of fired timers after which a case counts as endless. */
const MAX_TIMERS = 200;
/** Number of completed jobs after which a case counts as endless. */
const MAX_JOBS = 1_000;
const PAGE_SIZE = 200;

/** Result of the deployment of a BPMN model. */
export interface DeploymentCheck {
  /** Reasons for the refusal, or `undefined` if the model is deployed. */
  readonly problems: readonly FieldError[] | undefined;
  readonly warnings: DeployedWorkflow['warnings'];
}

export interface CaseRunOptions {
  /** The default is the embedded engine. */
  readonly engine?: CaseEngine;
  /** Called with the host when the case has ended. */
  inspect?(host: CaseHost): Promise<void>;
}

/** Separate Countersign host for one case, so that data of other cases cannot affect it. */
export class CaseHost {
  private readonly admin: Client;
  private readonly operator: Client;
  private readonly approver: Client;

  private constructor(readonly server: CaseServer) {
    ({ admin: this.admin, operator: this.operator, approver: this.approver } = server.clients);
  }

  /** @param engine the default is the embedded engine */
  static async start(engine?: CaseEngine): Promise<CaseHost> {
    return new CaseHost(await startCaseServer({ jobType: CONFORMANCE_JOB, timers: 'timers of runs', engine }));
  }

  /** Executes a case on a host of its own, which is closed in any case. */
  static async use<T>({ engine, inspect }: CaseRunOptions, execute: (host: CaseHost) => Promise<T>): Promise<T> {
    const host = await CaseHost.start(engine);
    try {
      try {
        return await execute(host);
      } finally {
        await inspect?.(host);
      }
    } finally {
      await host.close();
    }
  }

  close(): Promise<void> {
    return this.server.close();
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
    await this.settle();
    return run;
  }

  /** Returns all runs with their steps, oldest first. */
  async listRuns(): Promise<readonly RunDetail[]> {
    const { items } = await this.operator.listRuns({ limit: PAGE_SIZE });
    return Promise.all([...items].reverse().map(({ runId }) => this.operator.getRun({ runId })));
  }

  /** Returns the complete histories of all runs. */
  async readHistories(): Promise<readonly RunHistory[]> {
    const { items } = await this.operator.listRuns({ limit: PAGE_SIZE });
    return readHistories(
      this.server.storage,
      items.map(({ runId }) => runId),
    );
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
  approve(elementId: string): Promise<boolean> {
    return approveOldest(this.approver, elementId, () => this.settle());
  }

  /** @returns the number of runs that received the message */
  async correlate(messageName: string): Promise<number> {
    const { runIds } = await this.server.engine.correlateMessage({
      context: CASE_CONTEXT,
      messageName,
      correlationKey: CORRELATION_KEY,
      payload: {},
    });
    await this.settle();
    return runIds.length;
  }

  /** Advances the clock and fires the due timers one by one. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.server.clock.time + milliseconds;
    await this.fireTimers(end);
    this.server.clock.setTo(end);
    await this.settle();
  }

  /** Advances the clock until no timer is left. */
  fireAllTimers(): Promise<void> {
    return this.fireTimers(Number.POSITIVE_INFINITY);
  }

  /**
   * Completes the jobs, in the order in which they were opened, until the host is idle.
   *
   * @returns when the next timer is due
   */
  private async settle(): Promise<number | null> {
    for (let count = 0; count < MAX_JOBS; count += 1) {
      const next = await this.server.waitUntilIdle();
      if (!this.server.jobs.completeOldest()) return next;
    }
    throw new Error(`${MAX_JOBS} jobs were completed. The case seems to be endless.`);
  }

  private async fireTimers(end: number): Promise<void> {
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const next = await this.settle();
      if (next === null || next > end) return;
      this.server.clock.setTo(next);
    }
    throw new Error(`${MAX_TIMERS} timers have fired. The case seems to be endless.`);
  }
}
