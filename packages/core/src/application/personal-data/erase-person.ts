import { inject, injectable } from 'inversify';
import { ERASURE_ACTION } from '@countersign/model/evidence';
import { isApiError, isUuid, type Named, OnePerson, randomId, recordedActor } from '@countersign/model';
import { ClockPort } from '../../ports/clock.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { invalidCursor, makeCursor, readCursor } from '../page-in-memory.js';
import { namesOfPerson } from './names-of-person.js';
import { ErasePersonalData, refuseOwn } from './erase-personal-data.js';

/** Maximum number of runs whose history one request searches. */
const RUNS_AT_ONCE = 1_000;
/** Maximum number of runs that one request erases from. */
const MAX_ERASED = 50;
const LIST = 'personal-data';
/** Cursor suffix: one of the runs found so far has not ended. */
const WAITING = '+';

export interface ErasePersonInput {
  readonly person: string;
  readonly reason: string;
  /** `nextCursor` of the previous response. */
  readonly cursor?: string;
}

/** Result for a run that names the person. `not_ended` runs are not changed. */
export type ErasedRunView = { runId: string; status: 'planned' | 'erased' | 'not_ended' };

export type PersonErasureView = {
  dryRun: boolean;
  runs: ErasedRunView[];
  /** Positions in the server's audit chain; `null` while runs remain. */
  serverAuditEvents: number[] | null;
  nextCursor: string | null;
};

/**
 * Erases a person from all ended runs, in batches, and then from data outside of runs. Each run is erased with its own
 * command, so after a crash the same request continues.
 */
@injectable()
export class ErasePerson {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ErasePersonalData) private readonly runs: ErasePersonalData,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns what the erasure would do. Changes nothing.
   *
   * @throws {ApiError} `validation_failed`, `invalid_cursor`
   */
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
    const { after, isWaitingBefore } = placeOf(cursor);
    const names = await namesOfPerson(this.storage, person);
    const { runIds, lookedUpTo } = await this.storage.findRunsNaming(names, {
      after,
      maxRuns: RUNS_AT_ONCE,
      maxFound: MAX_ERASED,
    });
    const runs: ErasedRunView[] = [];
    for (const runId of runIds) {
      const status = await this.eraseRun({ runId, person, reason }, caller, dryRun);
      if (status !== undefined) runs.push({ runId, status });
    }
    const isWaiting = isWaitingBefore || runs.some(({ status }) => status === 'not_ended');
    if (lookedUpTo !== null) {
      const nextCursor = makeCursor(LIST, isWaiting ? `${lookedUpTo}${WAITING}` : lookedUpTo);
      return { dryRun, runs, serverAuditEvents: null, nextCursor };
    }
    return {
      dryRun,
      runs,
      serverAuditEvents: await this.eraseBesideRuns({ names, keepsUserNames: isWaiting }, reason, caller, dryRun),
      nextCursor: null,
    };
  }

  /**
   * Erases a person from one run. Returns `undefined` if the run does not name the person, because the name is only
   * part of another word.
   */
  private async eraseRun(
    input: { readonly runId: string; readonly person: string; readonly reason: string },
    caller: Caller,
    dryRun: boolean,
  ): Promise<ErasedRunView['status'] | undefined> {
    try {
      const erasure = await (dryRun ? this.runs.planIfNamed(input, caller) : this.runs.executeIfNamed(input, caller));
      if (erasure === undefined) return undefined;
      return dryRun ? 'planned' : 'erased';
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_ended') return 'not_ended';
      throw error;
    }
  }

  private async eraseBesideRuns(
    { names, keepsUserNames }: { readonly names: Required<Named>; readonly keepsUserNames: boolean },
    reason: string,
    { actor, from, traceId }: Caller,
    dryRun: boolean,
  ): Promise<number[]> {
    const scope = new OnePerson([names.id], names.userNames);
    const held = await this.storage.findServerAuditHolding(names);
    // The match may be part of another word, or of a salt.
    const positions = held
      .filter(({ actor: by, from: origin, data }) => scope.concerns([by === null ? null : { ...by }, origin, data]))
      .map(({ seq }) => seq);
    if (dryRun) return [...positions];
    const at = this.clock.now();
    const erased = { person: names, positions, keepsUserNames };
    await this.storage.erasePersonBesideRuns(erased, {
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

/**
 * Returns the run after which to search, and whether an earlier run still needs the person's user names until the run
 * ends.
 */
function placeOf(cursor: string | undefined): { readonly after: string | null; readonly isWaitingBefore: boolean } {
  if (cursor === undefined) return { after: null, isWaitingBefore: false };
  const place = readCursor(LIST, cursor);
  const isWaitingBefore = place.endsWith(WAITING);
  const after = isWaitingBefore ? place.slice(0, -WAITING.length) : place;
  if (!isUuid(after)) throw invalidCursor();
  return { after, isWaitingBefore };
}
