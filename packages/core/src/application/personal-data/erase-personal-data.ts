import { inject, injectable } from 'inversify';
import {
  ApiError,
  runTimeSliced,
  matchesName,
  isSaltOfPerson,
  isApiError,
  isJsonObject,
  type Json,
  PersonScope,
  type PersonalDataScope,
  toRecordedActor,
  WHOLE_RUN,
} from '@countersign/model';
import { ERASURE_ACTION } from '@countersign/model/evidence';
import { ClockPort } from '../../ports/clock.js';
import { EnginePort } from '../../ports/engine.js';
import { StoragePort } from '../../ports/storage.js';
import { loadAllAudit, loadAllEvents } from '../load-run-history.js';
import { loadRunApprovals } from '../load-run-approvals.js';
import type { Caller } from '../caller.js';
import { inputError } from '../errors.js';
import { requireCapability } from '../require-capability.js';
import { RunQueries, type LoadedRun } from '../run-queries.js';
import { filterExclusiveNames } from './find-person-names.js';
import { computeErasure, type StoredRunData, type ComputedErasure } from './compute-erasure.js';

const MAX_ATTEMPTS = 5;

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

interface PreparedErasure extends ComputedErasure {
  readonly loadedRun: LoadedRun;
  readonly scope: PersonalDataScope;
  readonly view: Omit<PersonalDataErasureView, 'dryRun'>;
  readonly isEmpty: boolean;
}

/**
 * Erases personal data of an ended run. Hashes, commitments and digests are kept to prove that nothing else has
 * changed, and an event records what was erased, by whom and why. A repeated erasure removes only data added since.
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
   * Returns the plan of the erasure without changing anything.
   *
   * @throws {ApiError} `run_not_found`, `run_not_ended`, `validation_failed`
   */
  async plan(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView> {
    rejectOwnErasure(input, caller);
    const { view } = requireEnded(await this.prepare(input));
    return { dryRun: true, ...view };
  }

  /** @throws {ApiError} `run_not_found`, `run_not_ended`, `validation_failed`, `conflict` */
  async execute(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView> {
    rejectOwnErasure(input, caller);
    return this.eraseWithRetries(input, await this.prepare(input), caller);
  }

  /**
   * Same as {@link plan}, but returns `undefined` if the run does not name the person, whether or not the run has
   * ended.
   */
  async planIfPersonIsNamed(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView | undefined> {
    rejectOwnErasure(input, caller);
    const preparedErasure = await this.prepareIfNamed(input);
    return preparedErasure === undefined ? undefined : { dryRun: true, ...preparedErasure.view };
  }

  /**
   * Same as {@link execute}, but writes no audit event when it refuses a run that has not ended. Returns `undefined` if
   * the run does not name the person.
   */
  async executeIfPersonIsNamed(input: EraseRunDataInput, caller: Caller): Promise<PersonalDataErasureView | undefined> {
    rejectOwnErasure(input, caller);
    const preparedErasure = await this.prepareIfNamed(input);
    return preparedErasure === undefined ? undefined : this.eraseWithRetries(input, preparedErasure, caller);
  }

  private async eraseWithRetries(
    input: EraseRunDataInput,
    initial: PreparedErasure,
    caller: Caller,
  ): Promise<PersonalDataErasureView> {
    let preparedErasure = initial;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.erase(input, preparedErasure, caller);
        return { dryRun: false, ...preparedErasure.view };
      } catch (error) {
        if (!isApiError(error) || error.code !== 'conflict' || attempt === MAX_ATTEMPTS) throw error;
      }
      preparedErasure = await this.prepare(input);
    }
  }

  private async erase(
    { runId, person, reason }: EraseRunDataInput,
    { loadedRun, scope, erasure, artifactNames, decisions, serverAuditEvents, isEmpty }: PreparedErasure,
    { actor, from, traceId }: Caller,
  ): Promise<void> {
    // The engine refuses runs that have not ended, and records the refusal.
    const hasEnded = loadedRun.run.outcome !== null;
    if (hasEnded && serverAuditEvents.length > 0) {
      await this.storage.eraseServerAudit(serverAuditEvents, {
        at: this.clock.now(),
        actor: toRecordedActor(actor),
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
      expectedSeq: loadedRun.state.seq,
      erasure,
      artifactNames,
      decisions,
    });
  }

  private async buildPersonScope(person: string, data: StoredRunData): Promise<PersonalDataScope> {
    const names = [...(await this.storage.findUserNames(person)), ...collectUserNames(person, data)];
    const exclusiveNames = await filterExclusiveNames(this.storage, person, names);
    return new PersonScope([person, ...collectDisplayNames(person, data)], exclusiveNames);
  }

  private async prepareIfNamed(input: EraseRunDataInput): Promise<PreparedErasure | undefined> {
    const preparedErasure = await this.prepare(input);
    return preparedErasure.isEmpty && preparedErasure.serverAuditEvents.length === 0
      ? undefined
      : requireEnded(preparedErasure);
  }

  private async prepare({ runId, person }: EraseRunDataInput): Promise<PreparedErasure> {
    requireCapability(this.engine, 'personal_data_erasure');
    const loadedRun = await this.runs.find(runId);
    const { state } = loadedRun;
    const [events, audit, approvals, questions, artifacts, payloads, childRuns] = await Promise.all([
      loadAllEvents(this.storage, runId, state.seq),
      loadAllAudit(this.storage, runId),
      loadRunApprovals(this.storage, runId),
      this.storage.listRunQuestions(runId),
      this.storage.listArtifacts(runId),
      this.storage.findRunPayloads(runId),
      this.storage.listRuns({ parentRunId: runId }, { limit: 200 }),
    ]);
    const data = { state, events, audit, approvals, questions, artifacts, payloads };
    const scope = person === undefined ? WHOLE_RUN : await this.buildPersonScope(person, data);
    const computedErasure = await runTimeSliced(computeErasure(data, scope));
    const { erasure, serverAuditEvents } = computedErasure;
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
      relatedRuns: [
        ...(state.parent === null ? [] : [state.parent.runId]),
        ...childRuns.items.map((each) => each.runId),
      ],
    };
    const hasSalt =
      person !== undefined && Object.keys(state.personSalts).some((key) => isSaltOfPerson(key, person, scope));
    const isEmpty = !hasSalt && Object.values(erasure).every((each: readonly unknown[]) => each.length === 0);
    return { loadedRun, scope, ...computedErasure, view, isEmpty };
  }
}

function requireEnded(preparedErasure: PreparedErasure): PreparedErasure {
  if (preparedErasure.loadedRun.run.outcome !== null) return preparedErasure;
  throw new ApiError(
    'run_not_ended',
    'The run has not ended and still needs its data. Cancel it, or wait until it ends.',
  );
}

/**
 * Refuses an erasure of the caller's own data, because the record of the erasure names the caller and would add the
 * data again.
 */
export function rejectOwnErasure({ person }: Pick<EraseRunDataInput, 'person'>, { actor }: Caller): void {
  if (person !== undefined && matchesName(actor, person))
    throw inputError(
      'validation_failed',
      'Another admin must erase your data, because the record of an erasure names the person who ordered it.',
      [{ pointer: '/person', code: 'invalid', message: 'Must not be yourself.' }],
    );
}

/** Returns the display names of a person in a run. */
function collectDisplayNames(person: string, data: StoredRunData): string[] {
  return collectActorField(collectActors(data), person, 'name');
}

/** Returns the user names that a person has in a run as an actor or a candidate. */
function collectUserNames(person: string, data: StoredRunData): string[] {
  const approvalNames = data.approvals.flatMap(({ votes, delegations }) => [
    ...votes.flatMap(({ by, voteId, askedAs = [] }) =>
      by === person && !delegations.some((each) => each.voteId === voteId) ? askedAs : [],
    ),
    ...delegations.flatMap(({ from, fromNames = [] }) => (from === person ? fromNames : [])),
    // The delegating user names the delegate: `to` is a user name if it differs from the voter's id.
    ...delegations.flatMap(({ to, voteId }) =>
      votes.some((each) => each.voteId === voteId && each.by === person) ? [to] : [],
    ),
  ]);
  return [...collectActorField(collectActors(data), person, 'userName'), ...approvalNames];
}

function collectActors({ events, audit, approvals, questions }: StoredRunData): (Json | undefined)[] {
  return [
    ...events.map(({ private: privateData }) => privateData?.actor),
    ...audit.map(({ actor }) => (actor === null ? null : { ...actor })),
    ...questions.map(({ answeredBy }) => (answeredBy === null ? null : { ...answeredBy })),
    ...approvals.flatMap(({ votes }) => votes.map(({ by, byName }) => ({ id: by, name: byName }))),
  ];
}

function collectActorField(
  actors: readonly (Json | undefined)[],
  person: string,
  field: 'name' | 'userName',
): string[] {
  const names = actors.map((actor) => (isJsonObject(actor) && actor['id'] === person ? actor[field] : undefined));
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
