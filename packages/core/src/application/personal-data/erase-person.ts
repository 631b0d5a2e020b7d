import { inject, injectable } from 'inversify';
import { ERASURE_ACTION } from '@countersign/model/evidence';
import { isApiError, isUuid, OnePerson, randomId, recordedActor } from '@countersign/model';
import { ClockPort } from '../../ports/clock.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { invalidCursor, makeCursor, readCursor } from '../page-in-memory.js';
import { ErasePersonalData, refuseOwn, type PersonalDataErasureView } from './erase-personal-data.js';

/** Runs whose history is looked through by one request. */
const RUNS_AT_ONCE = 1_000;
/** Runs that one request erases from. */
const MAX_ERASED = 50;
const LIST = 'personal-data';

export interface ErasePersonInput {
  readonly person: string;
  readonly reason: string;
  /** `nextCursor` of the answer before. */
  readonly cursor?: string;
}

/** What became of a run that names the person: `not_ended` runs are left as they are. */
export type ErasedRunView = { runId: string; status: 'planned' | 'erased' | 'not_ended' };

export type PersonErasureView = {
  dryRun: boolean;
  runs: ErasedRunView[];
  /** Entries of the server's audit chain; `null` while there are runs left. */
  serverAuditEvents: number[] | null;
  nextCursor: string | null;
};

/**
 * Erases one person from all runs that have ended, some at a time, and then from what belongs to no run. Each run is erased by
 * a command of its own, so after a crash the same request goes on.
 */
@injectable()
export class ErasePerson {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ErasePersonalData) private readonly runs: ErasePersonalData,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** What it would do. Changes nothing. @throws {ApiError} `validation_failed`, `invalid_cursor` */
  plan(input: ErasePersonInput, caller: Caller): Promise<PersonErasureView> {
    return this.go(input, caller, true);
  }

  /** @throws {ApiError} `validation_failed`, `invalid_cursor`, `conflict` */
  execute(input: ErasePersonInput, caller: Caller): Promise<PersonErasureView> {
    return this.go(input, caller, false);
  }

  private async go(
    { person, reason, cursor }: ErasePersonInput,
    caller: Caller,
    dryRun: boolean,
  ): Promise<PersonErasureView> {
    refuseOwn({ person }, caller);
    const after = cursor === undefined ? null : readCursor(LIST, cursor);
    if (after !== null && !isUuid(after)) throw invalidCursor();
    const { runIds, lookedUpTo } = await this.storage.findRunsNaming(person, {
      after,
      maxRuns: RUNS_AT_ONCE,
      maxFound: MAX_ERASED,
    });
    const runs: ErasedRunView[] = [];
    for (const runId of runIds) {
      const status = await this.eraseRun({ runId, person, reason }, caller, dryRun);
      if (status !== undefined) runs.push({ runId, status });
    }
    if (lookedUpTo !== null) return { dryRun, runs, serverAuditEvents: null, nextCursor: makeCursor(LIST, lookedUpTo) };
    return {
      dryRun,
      runs,
      serverAuditEvents: await this.eraseBesideRuns(person, reason, caller, dryRun),
      nextCursor: null,
    };
  }

  /** `undefined` where nothing in the run names the person after all, as their name is part of another word. */
  private async eraseRun(
    input: { readonly runId: string; readonly person: string; readonly reason: string },
    caller: Caller,
    dryRun: boolean,
  ): Promise<ErasedRunView['status'] | undefined> {
    try {
      const erasure = await (dryRun ? this.runs.plan(input, caller) : this.runs.executeIfEnded(input, caller));
      if (isNothing(erasure)) return undefined;
      return dryRun ? 'planned' : 'erased';
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_ended') return 'not_ended';
      throw error;
    }
  }

  private async eraseBesideRuns(
    person: string,
    reason: string,
    { actor, from, traceId }: Caller,
    dryRun: boolean,
  ): Promise<number[]> {
    const scope = new OnePerson([person], await this.storage.userNamesOf(person));
    const held = await this.storage.findServerAuditHolding(person);
    // The text may be part of another word, or of a salt.
    const positions = held
      .filter(({ actor: by, from: origin, data }) => scope.concerns([by === null ? null : { ...by }, origin, data]))
      .map(({ seq }) => seq);
    if (dryRun) return [...positions];
    const at = this.clock.now();
    await this.storage.erasePersonBesideRuns(person, positions, {
      at,
      actor: recordedActor(actor),
      action: ERASURE_ACTION,
      target: { type: 'personal_data', id: randomId(at), auditEvents: [...positions] },
      result: 'ok',
      from,
      data: { traceId, scope: 'person', reason },
    });
    return [...positions];
  }
}

function isNothing({
  events,
  auditEvents,
  serverAuditEvents,
  approvals,
  questions,
  notifications,
  inboundEvents,
  artifacts,
}: PersonalDataErasureView): boolean {
  return (
    [events, auditEvents, serverAuditEvents, artifacts].every(({ length }) => length === 0) &&
    approvals + questions + notifications + inboundEvents === 0
  );
}
