import {
  ProblemError,
  type Approval,
  type Client,
  type RunDetail,
  type RunEvent,
  type Step,
} from '@countersign/contract';
import { EnginePort, StoragePort, type JsonObject, type RunRecord } from '@countersign/core';
import { waitUntil } from '@countersign/model/testing';
import { createTestHost, type TestHost, type TestHostOptions } from '../../host/create-test-host.js';
import type { HeldJob } from '../../host/manual-jobs.js';
import { waitForApproval, waitForEnd } from '../../host/wait-for-run.js';

/** The number of items per request. */
const PAGE_SIZE = 200;

/** The caller of requests to the ports. */
export const CONTEXT = {
  actor: { type: 'service', id: 'shop', name: 'Shop' },
  from: 'test',
  traceId: null,
} as const;

/** A host with the engine under test, and a client of each role. */
export class EngineHost {
  readonly #heldJobs: HeldJob[] = [];
  readonly #collectedTypes = new Set<string>();

  private constructor(
    readonly host: TestHost,
    readonly viewer: Client,
    readonly operator: Client,
    readonly approver: Client,
    readonly admin: Client,
  ) {}

  static async start(options: TestHostOptions): Promise<EngineHost> {
    const host = await createTestHost(options);
    const [viewer, operator, approver, admin] = await Promise.all([
      host.client('viewer', 'vera'),
      host.client('operator', 'otto'),
      host.client('approver', 'ada'),
      host.client('admin', 'root'),
    ]);
    return new EngineHost(host, viewer, operator, approver, admin);
  }

  get engine(): EnginePort {
    return this.host.host.get(EnginePort);
  }

  get storage(): StoragePort {
    return this.host.host.get(StoragePort);
  }

  /** Starts a run of a workflow, by default of its newest version, and returns its id. */
  async startRun(workflowId: string, inputs: JsonObject = {}, version?: number): Promise<string> {
    const body = { workflowId, inputs, ...(version === undefined ? {} : { version }) };
    return (await this.viewer.startRun({ body })).runId;
  }

  /**
   * Waits for the next job of a run, in any order of the runs. Jobs that were aborted before are left out.
   *
   * @throws {Error} if the host does not handle the type
   */
  async takeJob(runId: string, jobType = 'work'): Promise<HeldJob> {
    if (!this.#collectedTypes.has(jobType)) {
      void this.#collectJobs(jobType, this.host.jobs.take(jobType));
      this.#collectedTypes.add(jobType);
    }
    return waitUntil(`run ${runId} has a job of type "${jobType}"`, () => {
      const index = this.#heldJobs.findIndex(
        ({ job }) => job.runId === runId && job.jobType === jobType && !job.signal.aborted,
      );
      return index < 0 ? undefined : this.#heldJobs.splice(index, 1)[0];
    });
  }

  /** Collects the jobs of a type, because the jobs of several runs start in any order. Never returns. */
  async #collectJobs(jobType: string, first: Promise<HeldJob>): Promise<void> {
    for (let next = first; ; next = this.host.jobs.take(jobType)) this.#heldJobs.push(await next);
  }

  /** Waits for the next job of a run and completes it. */
  async completeJob(runId: string, output: JsonObject = {}, jobType = 'work'): Promise<HeldJob> {
    const held = await this.takeJob(runId, jobType);
    held.complete(output);
    return held;
  }

  waitForEnd(runId: string): Promise<RunDetail> {
    return waitForEnd(this.viewer, runId);
  }

  /** @param after the position after which the approval is requested */
  waitForApproval(runId: string, after = 0): Promise<Approval> {
    return waitForApproval(this.viewer, runId, after);
  }

  /** Waits until a condition on a run is met, and returns the run. */
  waitForRun(runId: string, description: string, isMet: (run: RunDetail) => boolean): Promise<RunDetail> {
    return waitUntil(description, async () => {
      const run = await this.viewer.getRun({ runId });
      return isMet(run) && run;
    });
  }

  /** Waits until a step of an element has a status, and returns the run. */
  waitForStep(runId: string, elementId: string, status: Step['status']): Promise<RunDetail> {
    return this.waitForRun(runId, `"${elementId}" is ${status}`, ({ steps }) =>
      steps.some((step) => step.elementId === elementId && step.status === status),
    );
  }

  waitForIncident(runId: string): Promise<RunDetail> {
    return this.waitForRun(runId, 'the run has an incident', ({ incidents }) => incidents > 0);
  }

  /** Returns all events of a run, in order. */
  async listEvents(runId: string): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for (;;) {
      const { items } = await this.viewer.listRunEvents({ runId, after: events.at(-1)?.seq ?? 0, limit: PAGE_SIZE });
      events.push(...items);
      if (items.length < PAGE_SIZE) return events;
    }
  }

  async countEvents(runId: string, type: RunEvent['type'], elementId?: string): Promise<number> {
    const events = await this.listEvents(runId);
    return events.filter((event) => event.type === type && (elementId === undefined || event.elementId === elementId))
      .length;
  }

  /** Waits until a workflow has a number of runs, and returns their ids. */
  waitForCount(workflowId: string, count: number): Promise<string[]> {
    return waitUntil(`"${workflowId}" has ${count} runs`, async () => {
      const runIds = await this.listRunIds(workflowId);
      return runIds.length >= count && runIds;
    });
  }

  /** Returns the ids of the runs of a workflow, or of all runs. */
  async listRunIds(workflowId?: string): Promise<string[]> {
    return (await this.listRuns(workflowId)).map(({ runId }) => runId);
  }

  /** Returns the runs of a workflow, or all runs. */
  async listRuns(workflowId?: string): Promise<RunRecord[]> {
    const runs: RunRecord[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await this.storage.listRuns(workflowId === undefined ? {} : { workflowId }, {
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      runs.push(...page.items);
      cursor = page.nextCursor;
    }
    return runs;
  }
}

/** Sends a request until no earlier one with the same idempotency key is in progress. */
export function retryInFlight<T extends object>(send: () => Promise<T>): Promise<T> {
  return waitUntil('the earlier request has ended', async () => {
    try {
      return await send();
    } catch (failure) {
      if (failure instanceof ProblemError && failure.problem.code === 'idempotency_in_flight') return undefined;
      throw failure;
    }
  });
}

/** Returns how often each element was entered, for the elements of one run. */
export function countSteps({ steps }: Pick<RunDetail, 'steps'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { elementId } of steps) counts[elementId] = (counts[elementId] ?? 0) + 1;
  return counts;
}
