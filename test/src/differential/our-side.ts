import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError, type Client, type RunDetail, type RunEvent } from '@countersign/contract';
import { definePlugin } from '@countersign/core';
import { EnginePort, JobHandlerContribution, StoragePort } from '@countersign/core/plugin';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { createTestHost } from '@countersign/testing';
import { parseDuration } from '../conformance/parse-duration.js';
import { Stillness } from '../conformance/stillness.js';
import { TestClock } from '../conformance/test-clock.js';
import { HeldJobs } from './held-jobs.js';
import { byScope, scopesOf } from './scopes.js';
import type { ObservedRun, Side, Step } from './side.js';

const CONTEXT = { actor: { type: 'system', id: 'differential', name: 'Differential' }, from: null, traceId: null } as const;
const MAX_TIMERS = 200;
const PAGE = 200;
const BODY_TYPES: ReadonlySet<string> = new Set(['multiInstanceBody', 'standardLoopBody']);

/** Countersign with its embedded engine and a database of its own, for one case. */
export class OurSide implements Side {
  private xml = '';

  private constructor(
    private readonly clients: Readonly<Record<'admin' | 'operator' | 'approver', Client>>,
    private readonly engine: EnginePort,
    private readonly clock: TestClock,
    private readonly jobs: HeldJobs,
    private readonly stillness: Stillness,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<OurSide> {
    const clock = new TestClock();
    const jobs = new HeldJobs();
    const plugin = definePlugin({ id: 'held-jobs', register: ({ contribute }) => contribute(JobHandlerContribution, jobs.handler()) });
    const database = await createMigratedTestDatabase();
    const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-differential-'));
    const removeAll = async (): Promise<void> => {
      await database.drop();
      await rm(dataDirectory, { recursive: true, force: true });
    };
    try {
      const { host, client, close } = await createTestHost({ clock, plugins: [plugin], beside: { database, dataDirectory } });
      const [admin, operator, approver] = await Promise.all([client('admin'), client('operator'), client('approver')]);
      const engine = host.get<EnginePort>(EnginePort);
      const isWorking = (): boolean => engine.status().workers.reduce((sum, { active }) => sum + active, 0) > jobs.count;
      const stillness = new Stillness(host.get<StoragePort>(StoragePort), isWorking, clock);
      return new OurSide({ admin, operator, approver }, engine, clock, jobs, stillness, async () => {
        jobs.abandon();
        await close();
        await removeAll();
      });
    } catch (error) {
      await removeAll();
      throw error;
    }
  }

  async deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined> {
    this.xml = bpmnXml;
    try {
      if (dmnXml !== undefined) await this.clients.admin.deployDecisions({ body: dmnXml });
      await this.clients.admin.deployWorkflow({ body: bpmnXml });
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'model_refused') return error.errors.map(({ pointer, code, message }) => `"${pointer}" ${code}: ${message}`).join(' ');
      throw error;
    }
  }

  async take(step: Step): Promise<void> {
    const { operator } = this.clients;
    if ('start' in step) await operator.startRun({ body: { workflowId: step.start, inputs: step.variables ?? {} } });
    else if ('complete' in step) this.jobs.complete(step.complete, step.turn, step.variables ?? {});
    else if ('throwError' in step) this.jobs.throwError(step.throwError, step.turn, step.code, step.variables ?? {});
    else if ('fail' in step) this.jobs.fail(step.fail, step.turn);
    else if ('approve' in step) await this.approve(step.approve);
    else if ('message' in step) await this.engine.correlateMessage({ context: CONTEXT, messageName: step.message, correlationKey: step.key ?? '', payload: step.variables ?? {} });
    else if ('signal' in step) await this.engine.broadcastSignal({ context: CONTEXT, signalName: step.signal, payload: step.variables ?? {} });
    else if ('cancel' in step) await this.cancelOldest(step.cancel);
    else await this.letTimePass(parseDuration(step.advance));
    await this.stillness.reached();
  }

  async observe(): Promise<readonly ObservedRun[]> {
    const scopes = scopesOf(this.xml);
    return Promise.all((await this.runs()).map(async (run) => observed(run, await this.events(run.runId), scopes)));
  }

  private async approve(elementId: string): Promise<void> {
    const { items } = await this.clients.approver.listApprovals({ status: 'pending', limit: PAGE });
    const oldest = [...items].reverse().find((approval) => approval.elementId === elementId);
    if (oldest === undefined) throw new Error(`No approval of "${elementId}" waits.`);
    const body = { decision: 'approve', expectedDigest: oldest.digest, round: oldest.round } as const;
    await this.clients.approver.decideApproval({ approvalId: oldest.approvalId, body });
  }

  private async cancelOldest(processId: string): Promise<void> {
    const oldest = (await this.runs()).find((run) => run.workflowId === processId && run.outcome === null);
    if (oldest === undefined) throw new Error(`Nothing of "${processId}" lives.`);
    await this.clients.operator.cancelRun({ runId: oldest.runId, body: { reason: 'The case wants it.' } });
  }

  private async letTimePass(milliseconds: number): Promise<void> {
    const end = this.clock.time + milliseconds;
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const next = await this.stillness.reached();
      if (next === null || next > end) return this.clock.setTo(end);
      this.clock.setTo(next);
    }
    throw new Error(`More than ${MAX_TIMERS} timers have fired, and there is still another one.`);
  }

  private async runs(): Promise<RunDetail[]> {
    const { items } = await this.clients.operator.listRuns({ limit: PAGE });
    return Promise.all([...items].reverse().map(({ runId }) => this.clients.operator.getRun({ runId })));
  }

  private async events(runId: string): Promise<RunEvent[]> {
    const found: RunEvent[] = [];
    for (;;) {
      const { items } = await this.clients.operator.listRunEvents({ runId, after: found.length, limit: PAGE });
      found.push(...items);
      if (items.length < PAGE) return found;
    }
  }
}

function observed(run: RunDetail, events: readonly RunEvent[], scopes: ReadonlyMap<string, string>): ObservedRun {
  const types = new Map(run.steps.map(({ stepId, type }) => [stepId, type]));
  const steps = (wanted: string): { elementId: string; isBody: boolean }[] =>
    events.flatMap(({ type, stepId, elementId }) =>
      type === wanted && elementId !== null ? [{ elementId, isBody: BODY_TYPES.has(types.get(stepId ?? '') ?? '') }] : [],
    );
  return {
    processId: run.workflowId,
    status: statusOf(run),
    completed: byScope(steps('step.completed'), scopes),
    terminated: steps('step.cancelled').map(({ elementId, isBody }) => (isBody ? `${elementId}[]` : elementId)),
    incidents: run.outcome === null ? failedIn(events) : [],
    variables: run.variables,
  };
}

function statusOf({ outcome, incidents }: RunDetail): ObservedRun['status'] {
  if (outcome !== null) return outcome === 'completed' ? 'completed' : 'ended otherwise';
  return incidents > 0 ? 'incident' : 'waits';
}

/** The elements of the steps that failed and have done nothing since. */
function failedIn(events: readonly RunEvent[]): string[] {
  const failed = new Map<string, string>();
  for (const { type, stepId, elementId } of events) {
    if (stepId === null || elementId === null || !type.startsWith('step.')) continue;
    if (type === 'step.failed') failed.set(stepId, elementId);
    else failed.delete(stepId);
  }
  return [...failed.values()];
}
