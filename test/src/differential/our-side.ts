import { ProblemError, type Run, type RunDetail, type RunEvent } from '@countersign/contract';
import type { JsonObject } from '@countersign/core/plugin';
import { approveOldest } from '../conformance/approve-oldest.js';
import { CASE_CONTEXT } from '../conformance/case-context.js';
import { parseDuration } from '../conformance/parse-duration.js';
import type { OurHost } from './our-host.js';
import { groupByScope, mapElementsToScopes } from './scopes.js';
import type { ObservedRun, Side, Step } from './side.js';

const MAX_TIMERS = 200;
const PAGE_SIZE = 100;
const BODY_TYPES: ReadonlySet<string> = new Set(['multiInstanceBody', 'standardLoopBody']);

/**
 * Countersign, for one case. A host executes one case at a time; `close` cancels the active runs of the case.
 */
export class OurSide implements Side {
  /** BPMN file of the case, followed by its later versions. */
  private readonly files: string[] = [];
  private processes: ReadonlySet<string> = new Set();

  constructor(private readonly host: OurHost) {}

  async deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined> {
    this.files.push(bpmnXml);
    this.processes = new Set([...bpmnXml.matchAll(/<bpmn:process id="([^"]+)"/g)].map(([, id = '']) => id));
    try {
      if (dmnXml !== undefined) await this.host.server.clients.admin.deployDecisions({ body: dmnXml });
      await this.host.server.clients.admin.deployWorkflow({ body: bpmnXml });
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'model_refused')
        return error.errors.map(({ pointer, code, message }) => `"${pointer}" ${code}: ${message}`).join(' ');
      throw error;
    }
  }

  async executeStep(step: Step): Promise<void> {
    const { operator } = this.host.server.clients;
    if ('start' in step) await operator.startRun({ body: { workflowId: step.start, inputs: step.variables ?? {} } });
    else if ('complete' in step) this.host.server.jobs.complete(step.complete, step.turn, step.variables ?? {});
    else if ('throwError' in step)
      this.host.server.jobs.throwError(step.throwError, step.turn, step.code, step.variables ?? {});
    else if ('fail' in step) this.host.server.jobs.fail(step.fail, step.turn);
    else if ('failOnce' in step) await this.failOnce(step.failOnce, step.turn);
    else if ('recover' in step) await this.recover(step.recover, step.variables);
    else if ('migrate' in step) await this.migrate(step);
    else if ('runOut' in step) await this.runUntilIdle(step.runOut);
    else if ('approve' in step) await this.approve(step.approve);
    else if ('message' in step)
      await this.host.server.engine.correlateMessage({
        context: CASE_CONTEXT,
        messageName: step.message,
        correlationKey: step.key ?? '',
        payload: step.variables ?? {},
      });
    else if ('signal' in step)
      await this.host.server.engine.broadcastSignal({
        context: CASE_CONTEXT,
        signalName: step.signal,
        payload: step.variables ?? {},
      });
    else if ('cancel' in step) await this.cancelOldest(step.cancel);
    else await this.advanceTime(parseDuration(step.advance));
    await this.host.server.waitUntilIdle();
  }

  async observe(): Promise<readonly ObservedRun[]> {
    const scopes = mapElementsToScopes(...this.files);
    return Promise.all(
      (await this.listCaseRuns()).map(async (run) => toObservedRun(run, await this.listEvents(run.runId), scopes)),
    );
  }

  async close(): Promise<void> {
    for (const { runId, outcome, parentRunId } of await this.listCaseRuns()) {
      if (outcome !== null || parentRunId !== null) continue;
      await this.host.server.clients.operator
        .cancelRun({ runId, body: { reason: 'The test case has ended.' } })
        .catch(ignoreRunCancelling);
    }
    await this.host.server.idleDetector.waitUntilIdle();
    // Fails the jobs of compensation handlers that the cancellation started.
    this.host.server.jobs.abandonAll();
    await this.host.server.idleDetector.waitUntilIdle();
    this.host.forget(await this.listRunIds());
    await this.host.server.waitUntilIdle();
  }

  /**
   * Fails an attempt and waits for the next one, if any. Delays between attempts follow the system clock, like the
   * leases of jobs.
   */
  private async failOnce(elementId: string, turn: number | undefined): Promise<void> {
    const job = this.host.server.jobs.failOnce(elementId, turn);
    await this.host.server.waitUntilIdle();
    const lastEvent = (await this.listEvents(job.runId)).findLast(({ stepId }) => stepId === job.stepId);
    if (lastEvent?.type === 'step.attempt_failed') await this.host.server.jobs.waitForNextAttempt(job);
  }

  private async recover(processId: string, variables: JsonObject = {}): Promise<void> {
    const oldest = (await this.listCaseRuns()).find((run) => run.workflowId === processId && run.incidents > 0);
    if (oldest === undefined) throw new Error(`No run of "${processId}" has an incident.`);
    await this.host.server.clients.operator.recoverRun({ runId: oldest.runId, body: { variables } });
  }

  private async migrate({
    migrate: processId,
    to,
    mapping,
    refused,
  }: Extract<Step, { migrate: string }>): Promise<void> {
    const oldest = (await this.listCaseRuns()).find((run) => run.workflowId === processId && run.outcome === null);
    if (oldest === undefined) throw new Error(`No run of "${processId}" is active.`);
    this.files.push(to);
    const { version } = await this.host.server.clients.admin.deployWorkflow({ body: to });
    const body = { version, mapping };
    const refusal = await this.host.server.clients.operator
      .migrateRun({ runId: oldest.runId, body })
      .then(() => undefined, toRefusal);
    if ((refusal !== undefined) !== (refused === true))
      throw new Error(
        refusal === undefined ? 'The migration was not refused.' : `The migration was refused: ${refusal}`,
      );
  }

  private async runUntilIdle(kind: 'jobs' | 'timers'): Promise<void> {
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const nextTimerAt = await this.host.server.waitUntilIdle();
      if (this.host.server.jobs.completeOldest()) continue;
      if (nextTimerAt === null || kind === 'jobs') return;
      this.host.server.clock.setTo(nextTimerAt);
    }
    throw new Error(`The case did not end within ${MAX_TIMERS} jobs and timers.`);
  }

  private async approve(elementId: string): Promise<void> {
    if (!(await approveOldest(this.host.server.clients.approver, elementId)))
      throw new Error(`No approval of "${elementId}" is pending.`);
  }

  private async cancelOldest(processId: string): Promise<void> {
    const oldest = (await this.listCaseRuns()).find((run) => run.workflowId === processId && run.outcome === null);
    if (oldest === undefined) throw new Error(`No run of "${processId}" is active.`);
    await this.host.server.clients.operator.cancelRun({
      runId: oldest.runId,
      body: { reason: 'The test case cancels the run.' },
    });
  }

  private async advanceTime(milliseconds: number): Promise<void> {
    const end = this.host.server.clock.time + milliseconds;
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const nextTimerAt = await this.host.server.waitUntilIdle();
      if (nextTimerAt === null || nextTimerAt > end) return this.host.server.clock.setTo(end);
      this.host.server.clock.setTo(nextTimerAt);
    }
    throw new Error(`More than ${MAX_TIMERS} timers are due within the advanced time.`);
  }

  /** Returns the ids of the runs of the case, oldest first. */
  async listRunIds(): Promise<string[]> {
    return (await this.listCaseRuns()).map(({ runId }) => runId);
  }

  private async listCaseRuns(): Promise<RunDetail[]> {
    const caseRuns = (await this.listAllRuns())
      .filter(({ runId, workflowId }) => this.processes.has(workflowId) && !this.host.isForgotten(runId))
      .reverse();
    return Promise.all(caseRuns.map(({ runId }) => this.host.server.clients.operator.getRun({ runId })));
  }

  /**
   * Lists the runs of all pages. The clock of a host that has executed many cases is ahead, so runs that were started
   * with another clock are listed after its runs.
   */
  private async listAllRuns(): Promise<Run[]> {
    const found: Run[] = [];
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await this.host.server.clients.operator.listRuns({
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...items);
      if (nextCursor === null) return found;
      cursor = nextCursor;
    }
  }

  private async listEvents(runId: string): Promise<RunEvent[]> {
    const found: RunEvent[] = [];
    for (;;) {
      const { items } = await this.host.server.clients.operator.listRunEvents({
        runId,
        after: found.length,
        limit: PAGE_SIZE,
      });
      found.push(...items);
      if (items.length < PAGE_SIZE) return found;
    }
  }
}

function toObservedRun(run: RunDetail, events: readonly RunEvent[], scopes: ReadonlyMap<string, string>): ObservedRun {
  const types = new Map(run.steps.map(({ stepId, type }) => [stepId, type]));
  const findSteps = (eventType: string): { elementId: string; isBody: boolean }[] =>
    events.flatMap(({ type, stepId, elementId }) =>
      type === eventType && elementId !== null
        ? [{ elementId, isBody: BODY_TYPES.has(types.get(stepId ?? '') ?? '') }]
        : [],
    );
  return {
    processId: run.workflowId,
    status: toStatus(run),
    completed: groupByScope(findSteps('step.completed'), scopes),
    terminated: findSteps('step.cancelled').map(({ elementId, isBody }) => (isBody ? `${elementId}[]` : elementId)),
    incidents: run.outcome === null ? findFailedElements(events) : [],
    variables: run.variables,
  };
}

/** Ignores the error if the case has already cancelled the run. */
function ignoreRunCancelling(error: unknown): void {
  if (!(error instanceof ProblemError && error.code === 'run_cancelling')) throw error;
}

/** Returns the codes and pointers of the errors for which a migration was refused. */
function toRefusal(error: unknown): string {
  if (error instanceof ProblemError && error.code === 'migration_refused')
    return error.errors.map(({ pointer, code }) => `${code} ${pointer}`).join(', ');
  throw error;
}

function toStatus({ outcome, incidents }: RunDetail): ObservedRun['status'] {
  if (outcome !== null) return outcome === 'completed' ? 'completed' : 'ended otherwise';
  return incidents > 0 ? 'incident' : 'waits';
}

/** Returns the elements of the steps that failed and have not continued since. */
function findFailedElements(events: readonly RunEvent[]): string[] {
  const failed = new Map<string, string>();
  for (const { type, stepId, elementId } of events) {
    if (stepId === null || elementId === null || !type.startsWith('step.')) continue;
    if (type === 'step.failed') failed.set(stepId, elementId);
    else failed.delete(stepId);
  }
  return [...failed.values()];
}
