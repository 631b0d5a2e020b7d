import { inject, injectable } from 'inversify';
import {
  ApiError,
  inTurns,
  isCalled,
  isSaltOf,
  isApiError,
  isJsonObject,
  type Json,
  OnePerson,
  type PersonalDataScope,
  recordedActor,
  WHOLE_RUN,
} from '@countersign/model';
import { ERASURE_ACTION } from '@countersign/model/evidence';
import { ClockPort } from '../../ports/clock.js';
import { EnginePort } from '../../ports/engine.js';
import { StoragePort } from '../../ports/storage.js';
import { allAudit, allEvents } from '../all-of-run.js';
import { approvalsOfRun } from '../approvals-of-run.js';
import type { Caller } from '../caller.js';
import { badInput } from '../refuse.js';
import { RunQueries, type RunAtOnce } from '../run-queries.js';
import { withoutShared } from './names-of-person.js';
import { workOutErasure, type StoredRunData, type WorkedOutErasure } from './work-out-erasure.js';

const TRIES = 5;

export interface EraseRunDataInput {
  readonly runId: string;
  /** Person whose data is erased; if omitted, all personal data and payloads of the run are erased. */
  readonly person?: string;
  readonly reason: string;
}

/** Data that an erasure would remove, or has removed. */
export type PersonalDataErasureView = {
  dryRun: boolean;
  runId: string;
  scope: 'run' | 'person';
  events: number[];
  auditEvents: number[];
  serverAuditEvents: number[];
  approvals: number;
  questions: number;
  notifications: number;
  inboundEvents: number;
  artifacts: { artifactId: string; sha256: string }[];
  relatedRuns: string[];
};

interface Found extends WorkedOutErasure {
  readonly run: RunAtOnce;
  readonly scope: PersonalDataScope;
  readonly view: Omit<PersonalDataErasureView, 'dryRun'>;
  readonly isEmpty: boolean;
}

/**
 * Erases personal data of an ended run. Hashes, commitments and digests stay, as the proof that nothing else changed,
 * and an event records what was erased, by whom and why. A repeated erasure removes only data added since.
 */
@injectable()
export class ErasePersonalData {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(RunQueries) private readonly runs: RunQueries,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns what the erasure would do. Changes nothing.
   *
   * @throws {ApiError} `run_not_found`, `run_not_ended`, `validation_failed`
   */
  async plan(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView> {
    refuseOwn(input, caller);
    const { view } = requireEnded(await this.find(input));
    return { dryRun: true, ...view };
  }

  /** @throws {ApiError} `run_not_found`, `run_not_ended`, `validation_failed`, `conflict` */
  async execute(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView> {
    refuseOwn(input, caller);
    return this.eraseFound(input, await this.find(input), caller);
  }

  /**
   * Same as {@link plan}, but returns `undefined` if the run does not name the person, whether or not the run has
   * ended.
   */
  async planIfNamed(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView | undefined> {
    refuseOwn(input, caller);
    const found = await this.findNamed(input);
    return found === undefined ? undefined : { dryRun: true, ...found.view };
  }

  /**
   * Same as {@link execute}, but refuses a run that has not ended without an audit event. Returns `undefined` like
   * {@link planIfNamed}.
   */
  async executeIfNamed(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView | undefined> {
    refuseOwn(input, caller);
    const found = await this.findNamed(input);
    return found === undefined ? undefined : this.eraseFound(input, found, caller);
  }

  private async eraseFound(input: EraseRunDataInput, first: Found, caller: Caller): Promise<PersonalDataErasureView> {
    let found = first;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.erase(input, found, caller);
        return { dryRun: false, ...found.view };
      } catch (error) {
        if (!isApiError(error) || error.code !== 'conflict' || attempt === TRIES) throw error;
      }
      found = await this.find(input);
    }
  }

  private async erase(
    { runId, person, reason }: EraseRunDataInput,
    { run, scope, erasure, artifactNames, decisions, serverAuditEvents, isEmpty }: Found,
    { actor, from, traceId }: Caller,
  ): Promise<void> {
    // The engine refuses runs that have not ended, and records the refusal.
    const hasEnded = run.run.outcome !== null;
    if (hasEnded && serverAuditEvents.length > 0) {
      await this.storage.eraseServerAudit(serverAuditEvents, {
        at: this.clock.now(),
        actor: recordedActor(actor),
        action: ERASURE_ACTION,
        target: { type: 'run', id: runId, runId, auditEvents: [...serverAuditEvents] },
        result: 'ok',
        from,
        data: { traceId, scope: scope.kind, reason },
      });
    }
    if (hasEnded && isEmpty) return;
    const context = { actor, from, traceId };
    await this.engine.erasePersonalData({
      context,
      respond: () => ({}),
      runId,
      reason,
      scope,
      personId: person ?? null,
      expectedSeq: run.state.seq,
      erasure,
      artifactNames,
      decisions,
    });
  }

  private async scopeOf(person: string, data: StoredRunData): Promise<PersonalDataScope> {
    const names = [...(await this.storage.userNamesOf(person)), ...userNamesOf(person, data)];
    const own = await withoutShared(this.storage, person, names);
    return new OnePerson([person, ...namesOf(person, data)], own);
  }

  private async findNamed(input: EraseRunDataInput): Promise<Found | undefined> {
    const found = await this.find(input);
    return found.isEmpty && found.serverAuditEvents.length === 0 ? undefined : requireEnded(found);
  }

  private async find({ runId, person }: EraseRunDataInput): Promise<Found> {
    const run = await this.runs.find(runId);
    const { state } = run;
    const [events, audit, approvals, questions, artifacts, payloads, called] = await Promise.all([
      allEvents(this.storage, runId, state.seq),
      allAudit(this.storage, runId),
      approvalsOfRun(this.storage, runId),
      this.storage.listRunQuestions(runId),
      this.storage.listArtifacts(runId),
      this.storage.payloadsOf(runId),
      this.storage.listRuns({ parentRunId: runId }, { limit: 200 }),
    ]);
    const data = { state, events, audit, approvals, questions, artifacts, payloads };
    const scope = person === undefined ? WHOLE_RUN : await this.scopeOf(person, data);
    const worked = await inTurns(workOutErasure(data, scope));
    const { erasure, serverAuditEvents } = worked;
    const view = {
      runId,
      scope: scope.kind,
      events: [...erasure.events],
      auditEvents: [...erasure.auditEvents],
      serverAuditEvents: [...serverAuditEvents],
      approvals: erasure.approvals.length,
      questions: erasure.questions.length,
      notifications: erasure.deliveries.length,
      inboundEvents: erasure.inboundEvents.length,
      artifacts: erasure.artifacts.map(({ artifactId, sha256 }) => ({ artifactId, sha256 })),
      relatedRuns: [...(state.parent === null ? [] : [state.parent.runId]), ...called.items.map((each) => each.runId)],
    };
    const hasSalt =
      person !== undefined && Object.keys(state.personSalts ?? {}).some((key) => isSaltOf(key, person, scope));
    const isEmpty = !hasSalt && Object.values(erasure).every((each: readonly unknown[]) => each.length === 0);
    return { run, scope, ...worked, view, isEmpty };
  }
}

function requireEnded(found: Found): Found {
  if (found.run.run.outcome !== null) return found;
  throw new ApiError(
    'run_not_ended',
    'The run has not ended and still needs its data. Cancel it, or wait until it ends.',
  );
}

/**
 * Refuses an erasure of the caller's own data, because the record of the erasure names the caller and would add the
 * data again.
 */
export function refuseOwn({ person }: Pick<EraseRunDataInput, 'person'>, { actor }: Caller): void {
  if (person !== undefined && isCalled(actor, person))
    throw badInput(
      'validation_failed',
      'Another admin must erase your data, because the record of an erasure names the person who ordered it.',
      [{ pointer: '/person', code: 'invalid', message: 'Must not be yourself.' }],
    );
}

/** Returns the display names of a person in a run. */
function namesOf(person: string, data: StoredRunData): string[] {
  return namesIn(actorsIn(data), person, 'name');
}

/** Returns the user names of a person in a run, as an actor and as a candidate. */
function userNamesOf(person: string, data: StoredRunData): string[] {
  const asked = data.approvals.flatMap(({ votes, delegations }) => [
    ...votes.flatMap(({ by, voteId, askedAs = [] }) =>
      by === person && !delegations.some((each) => each.voteId === voteId) ? askedAs : [],
    ),
    ...delegations.flatMap(({ from, fromNames = [] }) => (from === person ? fromNames : [])),
    // The delegating user names the delegate: `to` is a user name if it differs from the voter's id.
    ...delegations.flatMap(({ to, voteId }) =>
      votes.some((each) => each.voteId === voteId && each.by === person) ? [to] : [],
    ),
  ]);
  return [...namesIn(actorsIn(data), person, 'userName'), ...asked];
}

function actorsIn({ events, audit, approvals, questions }: StoredRunData): (Json | undefined)[] {
  return [
    ...events.map(({ private: privateData }) => privateData?.actor),
    ...audit.map(({ actor }) => (actor === null ? null : { ...actor })),
    ...questions.map(({ answeredBy }) => (answeredBy === null ? null : { ...answeredBy })),
    ...approvals.flatMap(({ votes }) => votes.map(({ by, byName }) => ({ id: by, name: byName }))),
  ];
}

function namesIn(actors: readonly (Json | undefined)[], person: string, member: 'name' | 'userName'): string[] {
  const names = actors.map((actor) => (isJsonObject(actor) && actor['id'] === person ? actor[member] : undefined));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
