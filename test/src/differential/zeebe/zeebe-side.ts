import type { JsonObject } from '@countersign/core/plugin';
import { THROW_HEADER } from '../../conformance/adapt-model.js';
import { parseDuration } from '../../conformance/parse-duration.js';
import { WORK } from '../held-jobs.js';
import { scopesOf } from '../scopes.js';
import type { ObservedRun, Side, Step } from '../side.js';
import type { Broker } from './broker.js';
import { CaseRecords, type OpenWork } from './case-records.js';
import { settled } from './settled.js';
import { turnFlows } from './turn-flows.js';
import { ZeebeProblem } from './zeebe-client.js';

const MAX_TIMERS = 200;
/** The broker looks for timers that are due not more often than this, so that one that was due at once waits for it. */
const RESOLUTION_MS = 100;
/** Between two attempts at a job. */
const BACKOFF_MS = 1_000;

/** The time of the broker. It never goes back, from case to case. */
export interface PinnedClock {
  time: number;
}

/** Zeebe, for one case. Cases follow one another on one broker, so that names must not be used by two of them. */
export class ZeebeSide implements Side {
  private readonly definitions: number[] = [];
  private readonly from: number;
  /** The file, and those that followed it. */
  private readonly files: string[] = [];

  constructor(
    private readonly broker: Broker,
    private readonly clock: PinnedClock,
    /** Where flows are `turned round`, Zeebe takes them in the order of the case. */
    private readonly flows: 'turned round' | 'as they stand' = 'turned round',
  ) {
    this.from = broker.records.records.length;
  }

  async deploy(bpmnXml: string, dmnXml?: string): Promise<string | undefined> {
    try {
      if (dmnXml !== undefined) await this.broker.client.deploy('case.dmn', dmnXml);
      await this.deployFile(bpmnXml);
      return undefined;
    } catch (error) {
      if (error instanceof ZeebeProblem && error.status === 400) return error.detail;
      throw error;
    }
  }

  async take(step: Step): Promise<void> {
    const { client } = this.broker;
    if ('start' in step) await client.start(step.start, step.variables ?? {});
    else if ('complete' in step) await client.completeJob(await this.activeJob(step.complete, step.turn), step.variables ?? {});
    else if ('throwError' in step) await client.throwError(await this.activeJob(step.throwError, step.turn), step.code, step.variables ?? {});
    else if ('fail' in step) await client.failJob(await this.activeJob(step.fail, step.turn), 0);
    else if ('failOnce' in step) await this.failOnce(step.failOnce, step.turn);
    else if ('recover' in step) await this.recover(step.recover, step.variables);
    else if ('migrate' in step) await this.migrate(step);
    else if ('runOut' in step) await this.runOut(step.runOut);
    else if ('approve' in step) await this.approve(step.approve);
    else if ('message' in step) await client.publish(step.message, step.key ?? '', step.variables ?? {});
    else if ('signal' in step) await client.broadcast(step.signal, step.variables ?? {});
    else if ('cancel' in step) await this.cancelOldest(step.cancel);
    await settled(this.broker);
    // Timers may be due at once.
    await this.letTimePass('advance' in step ? parseDuration(step.advance) : 0);
  }

  async observe(): Promise<readonly ObservedRun[]> {
    await settled(this.broker);
    return this.records().observe(scopesOf(...this.files));
  }

  async close(): Promise<void> {
    await settled(this.broker);
    for (const key of this.records().live()) await this.broker.client.cancel(key).catch(ignoreProblem);
    for (const key of this.definitions) await this.broker.client.removeDefinition(key);
  }

  private async deployFile(bpmnXml: string): Promise<number[]> {
    this.files.push(bpmnXml);
    const definitions = await this.broker.client.deploy('case.bpmn', this.flows === 'turned round' ? turnFlows(bpmnXml) : bpmnXml);
    this.definitions.push(...definitions);
    return definitions;
  }

  private records(): CaseRecords {
    return new CaseRecords(this.broker.records.records.slice(this.from), new Set(this.definitions));
  }

  /** It has to be somebody's before anything but its completion can be told of it. */
  private async activeJob(elementId: string, turn?: number): Promise<number> {
    const { key, type } = oldest(this.records().jobs(), elementId, turn);
    await this.broker.client.activateJobs(type);
    return key;
  }

  private async failOnce(elementId: string, turn?: number): Promise<void> {
    const key = await this.activeJob(elementId, turn);
    const retries = (this.records().jobs().find((job) => job.key === key)?.retries ?? 1) - 1;
    const from = this.broker.records.records.length;
    await this.broker.client.failJob(key, retries, BACKOFF_MS);
    if (retries === 0) return;
    await settled(this.broker);
    await this.setClock(this.clock.time + BACKOFF_MS + RESOLUTION_MS);
    await this.broker.records.find(from, (record) => record.valueType === 'JOB' && record.key === key && record.intent === 'RECURRED_AFTER_BACKOFF', `the next attempt at ${elementId}`);
  }

  /** As an operator does it: variables first, then attempts, then the incident. */
  private async recover(processId: string, variables: JsonObject = {}): Promise<void> {
    const { client } = this.broker;
    const records = this.records();
    const incidents = records.incidents();
    const instanceKey = records.live(processId, 'called too').find((key) => incidents.some((incident) => incident.instanceKey === key));
    if (instanceKey === undefined) throw new Error(`Nothing of "${processId}" has an incident.`);
    if (Object.keys(variables).length > 0) await client.setVariables(instanceKey, variables);
    for (const { key, jobKey } of incidents.filter((incident) => incident.instanceKey === instanceKey)) {
      if (jobKey !== undefined) await client.setRetries(jobKey, 1);
      await client.resolveIncident(key);
    }
  }

  private async migrate({ migrate: processId, to, mapping, refused }: Extract<Step, { migrate: string }>): Promise<void> {
    const instanceKey = this.records().live(processId)[0];
    const [definition] = await this.deployFile(to);
    if (instanceKey === undefined || definition === undefined) throw new Error(`Nothing of "${processId}" lives.`);
    const refusal = await this.broker.client.migrate(instanceKey, definition, mapping).then(() => undefined, problemOf);
    if ((refusal !== undefined) !== (refused === true)) throw new Error(refusal === undefined ? 'It was not refused.' : `It was refused: ${withoutKeys(refusal)}`);
  }

  private async runOut(what: 'jobs' | 'timers'): Promise<void> {
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      await settled(this.broker);
      const records = this.records();
      const job = records.jobs().find(({ type }) => type === WORK);
      const timer = records.timers().find(({ starts }) => !starts);
      if (job !== undefined) await this.doAsItSays(job);
      else if (timer === undefined || what === 'jobs') return;
      else await this.letTimePass(Math.max(0, timer.dueAt - this.clock.time));
    }
    throw new Error(`It does not end within ${MAX_TIMERS} jobs and timers.`);
  }

  private async doAsItSays({ key, type, headers }: OpenWork): Promise<void> {
    const { client } = this.broker;
    await client.activateJobs(type);
    const code = headers[THROW_HEADER];
    if (code === undefined) await client.completeJob(key, {});
    else await client.throwError(key, code, {});
  }

  private async approve(elementId: string): Promise<void> {
    const records = this.records();
    const task = records.userTasks().find((each) => each.elementId === elementId);
    if (task !== undefined) await this.broker.client.completeUserTask(task.key);
    else await this.broker.client.completeJob(oldest(records.jobs(), elementId).key, {});
  }

  private async cancelOldest(processId: string): Promise<void> {
    const key = this.records().live(processId)[0];
    if (key === undefined) throw new Error(`Nothing of "${processId}" lives.`);
    await this.broker.client.cancel(key);
  }

  private async letTimePass(milliseconds: number): Promise<void> {
    const end = this.clock.time + milliseconds;
    for (let count = 0; count < MAX_TIMERS; count += 1) {
      const next = this.records().timers()[0];
      if (next === undefined || next.dueAt > end) {
        if (end <= this.clock.time) return;
        await this.setClock(end);
        return settled(this.broker);
      }
      const from = this.broker.records.records.length;
      await this.setClock(next.dueAt > this.clock.time ? next.dueAt : this.clock.time + RESOLUTION_MS);
      const isOver = ({ valueType, key, intent }: { valueType: string; key: number; intent: string }): boolean =>
        valueType === 'TIMER' && key === next.key && (intent === 'TRIGGERED' || intent === 'CANCELED');
      await this.broker.records.find(from, isOver, `the timer of ${next.elementId}`);
      await settled(this.broker);
    }
    throw new Error(`More than ${MAX_TIMERS} timers have fired, and there is still another one.`);
  }

  private async setClock(time: number): Promise<void> {
    this.clock.time = time;
    await this.broker.client.pinClock(time);
  }
}

/** The instances of a loop are made in their order, so that the n-th job is the one of the n-th turn. */
function oldest(jobs: readonly OpenWork[], elementId: string, turn?: number): OpenWork {
  const job = jobs.find((each) => each.elementId === elementId && (turn === undefined || each.turn === turn));
  if (job === undefined) throw new Error(`No job of "${elementId}" waits on Zeebe; there are: ${jobs.map((each) => each.elementId).join(', ') || 'none'}.`);
  return job;
}

function problemOf(error: unknown): string {
  if (error instanceof ZeebeProblem) return error.detail;
  throw error;
}

/** They are others each time. */
function withoutKeys(text: string): string {
  return text.replace(/\d{10,}/g, '…');
}

/** It has ended meanwhile. */
function ignoreProblem(error: unknown): void {
  if (!(error instanceof ZeebeProblem)) throw error;
}
